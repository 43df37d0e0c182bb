import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { repair } from '../../../src/catalogue/counters/repair'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { importCatalogue } from '../../../src/catalogue/import/import-catalogue'
import { databasePath } from '../../../src/db/open'
import {
  bytesOf,
  type CatalogueStore,
  catalogueStore,
  episode,
  now,
  textOf,
  work,
} from '../../support/catalogue-store'
import type { Seed } from '../../support/database-copy'
import { output, run } from '../../support/in-process'
import { spawn } from '../../support/kiroku'
import { preparedDirectory } from '../../support/prepared-directory'
import { until } from '../../support/until'

const many = Array.from({ length: 3000 }, (_, n) => work(`mine:${n}`, { title: `作品の題名${n}` }))
const rows = [...many, ...many.map((_, n) => episode(`e:${n}`, `mine:${n}`, 1))]

const seed: Seed = async (store) => {
  await importCatalogue(store, bytesOf(textOf('mine', rows), 65_536), { now })
}

async function filled(): Promise<CatalogueStore & { other: Database }> {
  const store = await catalogueStore(seed)
  const other = new Database(databasePath(store.directory))
  other.run('pragma busy_timeout = 0')
  return { ...store, other }
}

/** A write that changes a page, which one that leaves everything equal does not. */
const write = (other: Database) =>
  other.run("insert or replace into instance (name, value) values ('probe', hex(randomblob(8)))")

/** Whether another write can restart the log: nobody is reading from it. */
function canRestartLog(other: Database): boolean {
  write(other)
  return other.query<{ busy: number }, []>('pragma wal_checkpoint(truncate)').all()[0]?.busy === 0
}

test('promise 11: while everything is recounted, a server can restart its log after each piece', async () => {
  const { handle, other, close } = await filled()
  const seen: boolean[] = []
  const rest = () => void seen.push(canRestartLog(other))
  expect(findDrift(handle, 100, rest)).toEqual([])
  expect(searchDrift(handle, 100, rest)).toEqual([])
  expect(seen.length).toBeGreaterThan(40)
  expect(seen).not.toContain(false)
  // Recounting in a single transaction, as was once done, does hold the log.
  handle.run('begin')
  findDrift(handle, 100, rest)
  handle.run('rollback')
  expect(seen.at(-1)).toBe(false)
  other.close()
  close()
}, 60_000)

test('promise 11: a repair lets others write between its changes, and is correct in the end', async () => {
  const { handle, other, close } = await filled()
  handle.run('update works set episodes_count = 7')
  handle.run('delete from works_search where rowid in (select id from works limit 1000)')
  let isDone = false
  const repaired = repair(handle).finally(() => {
    isDone = true
  })
  const left = new Set<number>()
  while (!isDone) {
    write(other)
    left.add(Number(other.query('select count(*) from works where episodes_count = 7').values()[0]?.[0]))
    await new Promise(setImmediate)
  }
  await repaired
  expect(left.size).toBeGreaterThan(3)
  expect(findDrift(handle)).toEqual([])
  expect(searchDrift(handle)).toEqual([])
  other.close()
  close()
}, 60_000)

test('promise 11: a killed repair is completed by the next', async () => {
  using directory = await preparedDirectory(seed)
  const path = databasePath(directory.file('data'))
  for (const most of [many.length - 1, many.length / 2]) {
    using spoiled = new Database(path)
    spoiled.run('update works set episodes_count = 7')
    const child = spawn(directory, ['check', '--repair'])
    const left = spoiled.query<{ n: number }, []>('select count(*) as n from works where episodes_count = 7')
    await until(() => child.exitCode !== null || (left.get()?.n ?? 0) <= most)
    child.kill('SIGKILL')
    await child.exited
    expect((await run(directory, ['check', '--repair'])).code).toBe(0)
    expect(await output(directory, ['check', '--deep'])).toBe('ok\n')
  }
}, 60_000)
