import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { pendingImport } from '../../../src/catalogue/import/file/pending-import'
import { finishImport, importCatalogue } from '../../../src/catalogue/import/import-catalogue'
import { unfinishedMerges } from '../../../src/catalogue/import/merge/unfinished'
import { takeCatalogueLock } from '../../../src/db/lock'
import type { Write } from '../../../src/db/write'
import {
  bytesOf,
  type CatalogueStore,
  catalogueStore,
  episode,
  header,
  now,
  textOf,
  work,
} from '../../support/catalogue-store'

const snapshot = header('mine', { mode: 'snapshot' })

/** The existing rows: two packs, estimated episodes, and what users did. */
async function seed(): Promise<CatalogueStore> {
  const store = await catalogueStore()
  await store.load('other', [
    work('o:1', { title: 'Other', ids: { mal: 7 } }),
    work('o:2', { episodes_estimate: 3 }),
  ])
  await store.load(snapshot, before)
  const ids = store.rows<{ id: number }>('select id from episodes where work_id = 2 order by id')
  store.handle.run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    values (1, 'mio', 'mio', 'みお', 'm', 'm', 'none', 0)`)
  for (const { id } of ids)
    store.handle.run(`insert into records (user_id, work_id, episode_id, comment, watched_at, created_at)
      values (1, 2, ${id}, 'c', 0, 0)`)
  store.handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, 2, 'watched', 5)")
  store.handle.run('pragma wal_checkpoint(truncate)')
  return store
}

const before = [
  ...[1, 2, 3, 4, 5].map((n) => work(`annict:${n}`, { aliases: [`alias ${n}`] })),
  episode('e:11', 'annict:1', 1),
  episode('e:21', 'annict:2', 1),
  episode('e:22', 'annict:2', 2),
  { type: 'person', key: 'p:1', name: 'P' },
  { type: 'character', key: 'c:1', name: 'C' },
  { type: 'cast', work: 'annict:1', character: 'c:1', person: 'p:1' },
  { type: 'cast', work: 'annict:2', character: 'c:1', person: 'p:1' },
]

/** New, changed, merged, deleted and missing rows, lines that wait for later ones, and the end of estimates. */
const after = [
  { type: 'staff', work: 'w:new', person: 'p:2', role: 'music' },
  episode('e:n2', 'w:new', 2),
  { type: 'work', key: 'annict:2', merged_into: 'annict:1' },
  work('annict:3', { title: 'Changed', aliases: ['new alias'], series: ['s:1'] }),
  work('annict:4', { deleted: true }),
  work('x:mal', { title: 'By id', ids: { mal: 7 } }),
  episode('e:real', 'o:2', 1, { title: 'Real' }),
  { type: 'cast', work: 'annict:1', character: 'c:1', person: 'p:2', name: 'As another' },
  { type: 'cast', work: 'annict:1', character: 'c:1', person: 'p:1' },
  work('annict:1', { aliases: ['alias 1'] }),
  episode('e:11', 'annict:1', 1, { title: 'First' }),
  work('w:new', { title: 'New', episodes_estimate: 4 }),
  work('w:est', { title: 'Estimated', episodes_estimate: 2 }),
  { type: 'series', key: 's:1', name: 'Series' },
  { type: 'person', key: 'p:1', name: 'P' },
  { type: 'person', key: 'p:2', name: 'Q' },
]

const tables = [
  ...['works', 'episodes', 'people', 'characters', 'series', 'casts', 'staffs', 'programs', 'work_aliases'],
  ...['series_works', 'streams', 'external_ids', 'import_rows', 'redirects', 'records', 'statuses'],
  ...['imports', 'import_blocks'],
]

/** Everything but versions, which only have to increase. */
const contentOf = (store: CatalogueStore) =>
  Object.fromEntries(
    tables.map((table) => [
      table,
      store.rows<Record<string, unknown>>(`select * from ${table}`).map(({ version: _, ...row }) => row),
    ]),
  )

const load = (store: CatalogueStore, write: Write) =>
  importCatalogue({ handle: store.handle, write }, bytesOf(textOf(snapshot, after), 4096), {
    now,
    force: true,
  })

/** The writes of a process that ends after `most` of them. */
function dyingAfter(store: CatalogueStore, most: number): Write {
  let done = 0
  return async (change) => {
    if (done === most) throw new Error('killed')
    done++
    return await store.write(change)
  }
}

/** Time flies, so that every line makes up a piece; pauses end immediately. */
function everyLineAPiece() {
  let time = 0
  spyOn(performance, 'now').mockImplementation(() => (time += 1000))
  spyOn(Bun, 'sleep').mockImplementation(() => setImmediate())
}

afterEach(() => mock.restore())

function checkSound(store: CatalogueStore): void {
  expect(findDrift(store.handle)).toEqual([])
  expect(searchDrift(store.handle)).toEqual([])
  expect(store.rows('pragma foreign_key_check')).toEqual([])
}

test('promise 11: an import interrupted after any of its writes has the same outcome as an uninterrupted one', async () => {
  const seeded = await seed()
  const untouched = contentOf(seeded)
  const whole = await catalogueStore(seeded)
  const report = await load(whole, whole.write)
  expect([report.problems, report.warnings]).toEqual([[], []])
  const expected = contentOf(whole)
  whole.close()
  everyLineAPiece()
  let resumed = 0
  for (let most = 0, died = true; died; most += most < 8 ? 1 : 3) {
    const store = await catalogueStore(seeded)
    const write = dyingAfter(store, most)
    died = await load(store, write).then(
      () => false,
      () => true,
    )
    checkSound(store)
    const isPending = pendingImport(store.handle) !== undefined
    if (died && !isPending && most < 3)
      expect(contentOf(store)).toMatchObject({ ...untouched, import_blocks: expect.any(Array) })
    expect(await finishImport(store, { now })).toBe(isPending)
    if (isPending) resumed++
    if (!isPending || most % 10 === 0) expect((await load(store, store.write)).problems).toEqual([])
    expect([most, contentOf(store)]).toEqual([most, expected])
    expect(unfinishedMerges(store.handle)).toEqual([])
    checkSound(store)
    store.close()
  }
  expect(resumed).toBeGreaterThan(20)
  seeded.close()
}, 600_000)

test('the scratch file of an import that was killed during examination is deleted, unless one is running', async () => {
  const store = await catalogueStore()
  const directory = dirname(store.handle.filename)
  const scratch = join(directory, 'import-scratch.partial')
  writeFileSync(scratch, 'left behind')
  const lock = await takeCatalogueLock(directory, 0)
  await expect(finishImport({ ...store, patienceMs: 0 }, { now })).rejects.toThrow()
  expect(existsSync(scratch)).toBe(true)
  lock.release()
  expect(await finishImport(store, { now })).toBe(false)
  expect(existsSync(scratch)).toBe(false)
})
