import type { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { upgrade } from '../../../src/cli/open'
import { databasePath, openHandle, openStore } from '../../../src/db/open'
import { undo } from '../../../src/library/acts/undo'
import { createLists } from '../../../src/transfer/batch/create-lists'
import { type Directory, temporaryDirectory } from '../../support/kiroku'
import { released } from '../../support/released'

const all = <R>(handle: Database, sql: string) => handle.query<R, []>(sql).all()

const directories: Directory[] = []
afterAll(() => {
  for (const directory of directories) directory[Symbol.dispose]()
})

/** An instance whose database was made by an older kiroku, at a moment when its acts can be undone. */
async function upgraded(database: Uint8Array) {
  const directory = temporaryDirectory()
  directories.push(directory)
  writeFileSync(databasePath(directory.path), database)
  await upgrade(directory.path, () => 0)
  const handle = openHandle(directory.path)
  const store = openStore(directory.path, handle)
  const [first] = all<{ at: number }>(handle, 'select min(created_at) as at from acts')
  const now = () => first?.at ?? 0
  const wallClock = { behind: () => undefined, believed: now }
  const lists = createLists({ ...store, now })
  const close = async () => {
    await lists.close()
    await store.close()
  }
  return { handle, lists, deps: { ...store, now, wallClock }, close }
}

type Upgraded = Awaited<ReturnType<typeof upgraded>>

interface Undone {
  readonly id: number
  readonly user: number
}

/** Every act that is not undone, the newest first, and every applied import. */
async function undoAll({ handle, lists, deps }: Upgraded, first: 'acts' | 'imports'): Promise<number> {
  const acts = all<Undone>(
    handle,
    'select id, user_id as user from acts where undone_at is null order by id desc',
  )
  const imports = all<Undone>(handle, "select id, user_id as user from list_imports where state = 'applied'")
  const undoActs = async () => {
    for (const { id, user } of acts) await undo(deps, user, { actId: id })
  }
  const undoImports = async () => {
    for (const { id, user } of imports) {
      await lists.undo(user, id)
      await lists.settled(id)
    }
  }
  for (const step of first === 'acts' ? [undoActs, undoImports] : [undoImports, undoActs]) await step()
  expect(findDrift(handle)).toEqual([])
  expect(all(handle, 'pragma foreign_key_check')).toEqual([])
  return acts.length + imports.length
}

/** Made by kiroku before 0027_changes.sql: each kind of change, an act and an import whose undo had to leave something. */
const made = (name: string) => readFileSync(join(import.meta.dir, name))
const before: Readonly<Record<string, readonly object[]>> = JSON.parse(made('acts-0023.json').toString())

test.each(['acts', 'imports'] as const)(
  'promise 2: acts and imports that an older kiroku made can be undone, %s first, and leave nothing',
  async (first) => {
    const instance = await upgraded(Bun.zstdDecompressSync(made('acts-0023.db.zst')))
    expect(await undoAll(instance, first)).toBe(17)
    for (const [table, rows] of Object.entries(before))
      expect([table, all(instance.handle, `select * from ${table}`)]).toEqual([
        table,
        rows.map((row) => expect.objectContaining(row)),
      ])
    // An import takes back what it added to the library; acts of then did not say.
    expect(all(instance.handle, 'select 1 from library_entries where work_id = 6')).toEqual([])
    expect(all(instance.handle, 'select * from changes')).toEqual([])
    await instance.close()
  },
)

test.each(released)('promise 2: so can those in a database of kiroku $version', async ({ database }) => {
  const instance = await upgraded(database())
  expect(await undoAll(instance, 'acts')).toBeGreaterThan(1)
  expect(all(instance.handle, 'select * from changes where left_because is null')).toEqual([])
  await instance.close()
})
