import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { kinds } from '../../src/catalogue/import/kinds/kinds'
import { moves } from '../../src/catalogue/import/merge/moves'
import { type CatalogueStore, catalogueStore, episode, work } from '../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
  await store.load('mine', [
    work('a:1'),
    work('a:2'),
    episode('e:1', 'a:1', 1),
    episode('e:2', 'a:2', 1),
    episode('e:3', 'a:2', 2),
    ...['c:1', 'c:2'].map((key) => ({ type: 'character', key, name: key })),
    ...['p:1', 'p:2'].map((key) => ({ type: 'person', key, name: key })),
    ...['o:1', 'o:2'].map((key) => ({ type: 'organization', key, name: key })),
    ...['ch:1', 'ch:2'].map((key) => ({ type: 'channel', key, name: key })),
  ])
  for (const id of [1, 2, 3]) {
    run(
      `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
       values (${id}, 'u${id}', 'u${id}', 'u', 'e${id}', 'e${id}', 'none', 0)`,
    )
  }
})
afterEach(() => {
  expect(findDrift(store.handle)).toEqual([])
  expect(store.rows('pragma foreign_key_check')).toEqual([])
  store.close()
})

const run = (sql: string) => store.handle.run(sql)
const base = 10_000_000
const merge = (type: string, key: string, merged_into: string) =>
  store.load('mine', [{ type, key, merged_into }])

/** Refers to users, episodes and works by small numbers. */
const record = (user: number, work: number, episode: number, id: number) => {
  run(`insert into records (id, user_id, work_id, episode_id, comment, watched_at, created_at)
       values (${id}, ${user}, ${base + work}, ${base + episode}, 'c', 0, 0)`)
  run(`insert into activities (user_id, work_id, action, record_id, created_at)
       values (${user}, ${base + work}, 'create_record', ${id}, 0)`)
}
const status = (user: number, work: number, kind: string, changed_at: number) =>
  run(
    `insert into statuses (user_id, work_id, kind, changed_at) values (${user}, ${base + work}, '${kind}', ${changed_at})`,
  )

test('records, reviews and activities of a merged work move to the survivor', async () => {
  record(1, 1, 1, 1)
  record(1, 2, 2, 2)
  record(2, 2, 3, 3)
  run(`insert into reviews (id, user_id, work_id, body, created_at) values (1, 1, ${base + 2}, 'b', 0)`)
  run(
    `insert into activities (user_id, work_id, action, review_id, created_at) values (1, ${base + 2}, 'create_review', 1, 0)`,
  )
  run(`insert into activities (user_id, work_id, action, status_kind, created_at)
       values (1, ${base + 2}, 'create_status', 'watched', 0)`)
  await merge('work', 'a:2', 'a:1')
  for (const table of ['records', 'reviews', 'activities']) {
    expect([table, store.rows(`select distinct work_id from ${table}`)]).toEqual([
      table,
      [{ work_id: base + 1 }],
    ])
  }
  expect(store.rows('select reviews_count from works order by id')).toEqual([
    { reviews_count: 1 },
    { reviews_count: 0 },
  ])
})

test('of two statuses of a user, the one changed last stays', async () => {
  status(1, 1, 'watching', 10)
  status(1, 2, 'watched', 20)
  status(2, 1, 'on_hold', 20)
  status(2, 2, 'wanna_watch', 10)
  status(3, 2, 'stop_watching', 5)
  await merge('work', 'a:2', 'a:1')
  expect(store.rows('select user_id, work_id, kind from statuses order by 1')).toEqual([
    { user_id: 1, work_id: base + 1, kind: 'watched' },
    { user_id: 2, work_id: base + 1, kind: 'on_hold' },
    { user_id: 3, work_id: base + 1, kind: 'stop_watching' },
  ])
  expect(store.rows('select watchers_count from works order by id')).toEqual([
    { watchers_count: 1 },
    { watchers_count: 0 },
  ])
})

test('laps, skips and notes of a merged work move, and both texts of two notes stay (D63, D67)', async () => {
  for (const [user, work, number] of [
    [1, 2, 2],
    [1, 2, 3],
    [2, 1, 2],
    [2, 2, 2],
  ])
    run(
      `insert into laps (user_id, work_id, number, started_at) values (${user}, ${base + Number(work)}, ${number}, 0)`,
    )
  for (const [episode, lap] of [
    [1, 1],
    [2, 1],
    [2, 2],
    [3, 1],
  ])
    run(
      `insert into skips (user_id, episode_id, lap, created_at) values (1, ${base + Number(episode)}, ${lap}, 0)`,
    )
  for (const [user, work, text] of [
    [1, 1, '一'],
    [1, 2, '二'],
    [2, 2, '三'],
  ])
    run(
      `insert into notes (user_id, work_id, text, updated_at) values (${user}, ${base + Number(work)}, '${text}', 0)`,
    )
  await merge('work', 'a:2', 'a:1')
  expect(store.rows('select user_id, work_id, number from laps order by 1, 3')).toEqual([
    { user_id: 1, work_id: base + 1, number: 2 },
    { user_id: 1, work_id: base + 1, number: 3 },
    { user_id: 2, work_id: base + 1, number: 2 },
  ])
  expect(store.rows('select episode_id, lap from skips order by 1, 2')).toEqual([
    { episode_id: base + 1, lap: 1 },
    { episode_id: base + 1, lap: 2 },
    { episode_id: base + 3, lap: 1 },
  ])
  expect(store.rows('select user_id, work_id, text from notes order by 1')).toEqual([
    { user_id: 1, work_id: base + 1, text: '一\n\n二' },
    { user_id: 2, work_id: base + 1, text: '三' },
  ])
})

test("an episode's records move to the survivor, and to its work", async () => {
  record(1, 2, 2, 1)
  record(1, 1, 1, 2)
  await merge('episode', 'e:2', 'e:1')
  expect(store.rows('select distinct work_id, episode_id from records')).toEqual([
    { work_id: base + 1, episode_id: base + 1 },
  ])
  expect(store.rows('select distinct work_id from activities')).toEqual([{ work_id: base + 1 }])
})

test('an episode that turns out to belong to another work keeps its records', async () => {
  record(1, 2, 2, 1)
  run(`update episodes set work_id = ${base + 1} where id = ${base + 2}`)
  expect(store.rows('select work_id from records union all select work_id from activities')).toEqual([
    { work_id: base + 1 },
    { work_id: base + 1 },
  ])
})

test.each([
  ['character', 'c', 'characters'],
  ['person', 'p', 'people'],
  ['organization', 'o', 'organizations'],
])('favorites of a merged %s go over, once per user', async (kind, prefix, table) => {
  for (const [user, of] of [
    [1, 1],
    [1, 2],
    [2, 2],
  ]) {
    run(`insert into favorites (user_id, ${kind}_id, created_at) values (${user}, ${base + Number(of)}, 0)`)
  }
  await merge(kind, `${prefix}:2`, `${prefix}:1`)
  expect(store.rows(`select user_id, ${kind}_id as id from favorites order by 1`)).toEqual([
    { user_id: 1, id: base + 1 },
    { user_id: 2, id: base + 1 },
  ])
  expect(store.rows(`select favorite_${table}_count as n from ${table} order by id`)).toEqual([
    { n: 2 },
    { n: 0 },
  ])
})

test('favourite works of a merged work go over, once per user (D67)', async () => {
  for (const [user, of, position] of [
    [1, 1, 2],
    [1, 2, 1],
    [2, 2, 1],
  ])
    run(
      `insert into favorites (user_id, work_id, position, created_at) values (${user}, ${base + Number(of)}, ${position}, 0)`,
    )
  await merge('work', 'a:2', 'a:1')
  expect(store.rows('select user_id, work_id, position from favorites order by 1')).toEqual([
    { user_id: 1, work_id: base + 1, position: 2 },
    { user_id: 2, work_id: base + 1, position: 1 },
  ])
})

test('users who chose a merged channel have chosen the survivor', async () => {
  run(
    `insert into user_channels (user_id, channel_id) values (1, ${base + 1}), (1, ${base + 2}), (2, ${base + 2})`,
  )
  await merge('channel', 'ch:2', 'ch:1')
  expect(store.rows('select user_id, channel_id from user_channels order by 1')).toEqual([
    { user_id: 1, channel_id: base + 1 },
    { user_id: 2, channel_id: base + 1 },
  ])
})

test('every column that refers to something mergeable moves with it', () => {
  const referring = store.rows(
    `select f."table" || ': ' || m.name || '.' || f."from" as name
     from sqlite_schema m, pragma_foreign_key_list(m.name) f where m.type = 'table'`,
  )
  const isMerged = (name: unknown) => kinds.some(({ table }) => String(name).startsWith(`${table}: `))
  const moving = kinds.flatMap(({ name, table }) =>
    (moves[name] ?? []).map(({ table: of, column }) => `${table}: ${of}.${column}`),
  )
  expect(moving.sort()).toEqual(
    referring.flatMap(({ name }) => (isMerged(name) ? [String(name)] : [])).sort(),
  )
})
