import { afterEach, expect, spyOn, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import type { Write } from '../../src/db/write'
import { addCommunity } from '../../src/demo/add-community'
import { writtenTables } from '../../src/demo/make-community'
import { undoUnfinished, unfinished } from '../../src/demo/undo-community'
import { type CatalogueStore, now } from '../support/catalogue-store'
import { demo, demoStore } from '../support/demo-instance'

const asked = { users: 40, records: 600, seed: 1, until: now, force: false, onProgress: () => {} }

/** The whole community and its counters, except versions and the feeds' change marks. */
const contentOf = (store: CatalogueStore) =>
  Object.fromEntries(
    [...writtenTables, 'works', 'episodes'].map((table) => [
      table,
      store
        .rows<Record<string, unknown>>(`select * from ${table}`)
        .map(({ version: _, feed_version: __, ...row }) => row),
    ]),
  )

const piece = async <T>(work: () => T) => work()
let clock: { mockRestore(): void } | undefined
afterEach(() => clock?.mockRestore())

/** Time flies, so that every few rows make up a piece. */
function shortPieces() {
  let time = 0
  return spyOn(performance, 'now').mockImplementation(() => (time += 0.5))
}

const user = (store: CatalogueStore, id: number) =>
  store.handle.run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    values (${id}, 'own${id}', 'own${id}', 'u', 'o${id}', 'o${id}', 'none', 0)`)

test('promise 11: a community added in short writes equals one created at once', async () => {
  const [atOnce, inPieces] = [await demoStore(), await demoStore()]
  const made = demo(atOnce.handle, asked)
  clock = shortPieces()
  expect(await addCommunity(inPieces, asked)).toEqual(made)
  const [expected, found] = [contentOf(atOnce), contentOf(inPieces)]
  for (const [table, rows] of Object.entries(expected)) expect([table, found[table]]).toEqual([table, rows])
  expect(findDrift(inPieces.handle)).toEqual([])
  expect(unfinished(inPieces.handle)).toBeUndefined()
  for (const store of [atOnce, inPieces]) store.close()
}, 60_000)

test('promise 11: others sign up, record and like while a community is being added', async () => {
  const store = await demoStore()
  user(store, 1)
  clock = shortPieces()
  let writes = 0
  const write: Write = async (change) => {
    writes++
    if (writes % 10 === 0) user(store, 1_000_000 + writes)
    store.handle.run(`insert into records (user_id, work_id, episode_id, comment, watched_at, created_at)
      select 1, work_id, id, 'own', 0, 0 from episodes where hidden = 0 limit 1`)
    store.handle.run(`insert or ignore into likes (user_id, record_id, created_at)
      select 1, max(id), 0 from records where user_id <> 1 having max(id) is not null`)
    return await store.write(change)
  }
  const { counts } = await addCommunity({ handle: store.handle, write }, { ...asked, force: true })
  expect(writes).toBeGreaterThan(20)
  expect(store.rows("select 1 from records where comment = 'own'")).toHaveLength(writes)
  expect(store.rows("select 1 from users where username not like 'own%'")).toHaveLength(counts.users ?? 0)
  expect(findDrift(store.handle)).toEqual([])
  expect(store.rows('pragma foreign_key_check')).toEqual([])
  store.close()
}, 60_000)

test('promise 11: an interrupted demo is undone, including what others wrote to it in the meantime', async () => {
  const store = await demoStore()
  user(store, 1)
  const before = contentOf(store)
  clock = shortPieces()
  let writes = 0
  const write: Write = async (change) => {
    if (++writes === 25) throw new Error('killed')
    return await store.write(change)
  }
  const dead = { handle: store.handle, write }
  // What ends the process leaves no time to tidy up: later writes fail too.
  const killed: Write = async (change) =>
    writes >= 25 ? Promise.reject(new Error('killed')) : await write(change)
  await expect(addCommunity({ ...dead, write: killed }, { ...asked, force: true })).rejects.toThrow('killed')
  expect(unfinished(store.handle)).toBeDefined()
  store.handle.run(
    `insert into follows (follower_id, followed_id, created_at) select 1, max(id), 0 from users`,
  )
  store.handle.run(`insert into likes (user_id, record_id, created_at) select 1, max(id), 0 from records`)
  expect(await undoUnfinished(store.handle, piece)).toBe(true)
  expect(contentOf(store)).toEqual(before)
  expect(findDrift(store.handle)).toEqual([])
  expect(await undoUnfinished(store.handle, piece)).toBe(false)
  store.close()
}, 60_000)
