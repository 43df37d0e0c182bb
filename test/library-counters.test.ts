import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDrift } from '../src/catalogue/recount'
import { type Body, createInstance } from './instance'
import { type Params, personOf } from './people'
import { seedLibrary } from './seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
const people = await Promise.all(['mio', 'Ritsu_T', 'azusa'].map((name) => personOf(kiroku, name)))
afterAll(kiroku.close)

type Row = Readonly<Record<string, Body>>
const rows = (table: string) => handle.query<Row, []>(`select * from ${table}`).all()
const count = (some: readonly Row[], is: (row: Row) => boolean) => some.filter(is).length

/** Every counter, recounted from the rows it counts (D40). */
function truths(): Readonly<Record<string, Readonly<Record<string, (row: Row) => number>>>> {
  const [records, reviews, statuses] = [rows('records'), rows('reviews'), rows('statuses')]
  const [likes, follows, favorites, notifications] = [
    rows('likes'),
    rows('follows'),
    rows('favorites'),
    rows('notifications'),
  ]
  const having = (kind: string) => (user: Row) =>
    count(statuses, (row) => row.user_id === user.id && row.kind === kind)
  const watching = new Set(['wanna_watch', 'watching', 'watched'])
  return {
    users: {
      records_count: ({ id }) => count(records, ({ user_id }) => user_id === id),
      followings_count: ({ id }) => count(follows, ({ follower_id }) => follower_id === id),
      followers_count: ({ id }) => count(follows, ({ followed_id }) => followed_id === id),
      notifications_count: ({ id }) =>
        count(notifications, (row) => row.user_id === id && row.read_at === null),
      wanna_watch_count: having('wanna_watch'),
      watching_count: having('watching'),
      watched_count: having('watched'),
      on_hold_count: having('on_hold'),
      stop_watching_count: having('stop_watching'),
    },
    works: {
      watchers_count: ({ id }) => count(statuses, (row) => row.work_id === id && watching.has(row.kind)),
      reviews_count: ({ id }) => count(reviews, ({ work_id }) => work_id === id),
    },
    episodes: {
      records_count: ({ id }) => count(records, ({ episode_id }) => episode_id === id),
      record_comments_count: ({ id }) => count(records, (row) => row.episode_id === id && row.comment !== ''),
    },
    records: { likes_count: ({ id }) => count(likes, ({ record_id }) => record_id === id) },
    reviews: { likes_count: ({ id }) => count(likes, ({ review_id }) => review_id === id) },
    characters: {
      favorite_characters_count: ({ id }) => count(favorites, ({ character_id }) => character_id === id),
    },
    people: { favorite_people_count: ({ id }) => count(favorites, ({ person_id }) => person_id === id) },
    organizations: {
      favorite_organizations_count: ({ id }) =>
        count(favorites, ({ organization_id }) => organization_id === id),
    },
  }
}

function checkCounters(): void {
  for (const [table, columns] of Object.entries(truths())) {
    for (const row of rows(table)) {
      for (const [column, truth] of Object.entries(columns)) {
        expect([table, row.id, column, row[column]]).toEqual([table, row.id, column, truth(row)])
      }
    }
  }
}

/** Every cell of `ranks`, recounted: rows by list, key and block of 4,096 ids, -1 holding all blocks. */
function rankTruth(): Record<string, number> {
  const cells: Record<string, number> = {}
  const add = (list: string, key: number, block: number) => {
    const name = `${list}|${key}|${block}`
    cells[name] = (cells[name] ?? 0) + 1
  }
  const place = (list: string, key: number, id: number) => {
    add(list, key, Math.floor(id / 4096))
    add(list, key, -1)
  }
  for (const [table, text] of [
    ['records', 'comment'],
    ['reviews', 'body'],
  ] as const) {
    for (const row of rows(table)) {
      add(`${table} by user`, row.user_id, -1)
      add(`${table} by work`, row.work_id, -1)
      if (table === 'records') add('records by episode', row.episode_id, -1)
      for (const list of [table, `${table}${row[text] === '' ? '-' : '+'}${text}`]) {
        place(list, 0, row.id)
        place(`${list} by likes_count`, row.likes_count, row.id)
      }
    }
  }
  for (const row of rows('activities')) {
    add('activities by user', row.user_id, -1)
    place('activities', 0, row.id)
    place(`activities=${row.action}`, 0, row.id)
  }
  for (const { id, follower_id, followed_id } of rows('follows')) {
    place('follows', 0, id)
    add('follows by follower', follower_id, -1)
    add('follows by followed', followed_id, -1)
  }
  for (const { user_id } of rows('notifications')) add('notifications by user', user_id, -1)
  for (const { id } of rows('users')) place('users', 0, id)
  return cells
}

function checkRanks(): void {
  const kept = rows('ranks').filter(({ n }) => n !== 0)
  const cells = kept.map(({ list, key, block, n }) => [`${list}|${key}|${block}`, n] as const)
  expect(Object.fromEntries(cells)).toEqual(rankTruth())
}

/** Something one of three users asks for; most of it can be done, and what cannot must change nothing. */
type Write = readonly [who: number, method: string, path: string, params: Params]

const who = fc.nat(2)
const write = (method: fc.Arbitrary<string>, path: fc.Arbitrary<string>, params: fc.Arbitrary<Params>) =>
  fc.tuple(who, method, path, params) as fc.Arbitrary<Write>
const only = fc.constant
const either = fc.constantFrom('POST', 'DELETE')
const text = fc.constantFrom('', ' ', 'よかった', '🍥')
const episode = fc.constantFrom(1, 2, 3, 4, 5, 6, 7)
const work = fc.integer({ min: 1, max: 10 })
const own = (list: string) => fc.integer({ min: 1, max: 12 }).map((nth) => `/v1/me/${list}/nth-${nth}`)
const nth = fc.integer({ min: 1, max: 12 }).map((nth) => `nth-${nth}`)
const named = fc.constantFrom('mio', 'ritsu_t', 'yui', 'azusa')
const state = fc.constantFrom(
  ...['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching', 'no_select'],
)

const writes = fc.oneof(
  write(only('POST'), only('/v1/me/records'), fc.record({ episode_id: episode, comment: text })),
  write(only('PATCH'), own('records'), fc.record({ comment: text, rating: fc.constantFrom('', 4) })),
  write(only('DELETE'), own('records'), only({})),
  write(
    only('POST'),
    only('/v1/me/records/bulk'),
    fc.record({ episode_ids: fc.array(episode, { maxLength: 4 }) }),
  ),
  write(only('POST'), only('/v1/me/reviews'), fc.record({ work_id: work, body: only('本文') })),
  write(only('PATCH'), own('reviews'), fc.record({ body: text })),
  write(only('DELETE'), own('reviews'), only({})),
  write(only('POST'), only('/v1/me/statuses'), fc.record({ work_id: work, kind: state })),
  write(either, only('/v1/me/likes'), fc.record({ record_id: nth })),
  write(either, only('/v1/me/likes'), fc.record({ review_id: nth })),
  write(either, only('/v1/me/follows'), fc.record({ username: named })),
  write(either, only('/v1/me/mutes'), fc.record({ username: named })),
  ...['character_id', 'person_id', 'organization_id'].map((name) =>
    write(either, only('/v1/me/favorites'), fc.record({ [name]: fc.integer({ min: 1, max: 4 }) })),
  ),
  write(either, only('/v1/me/channels'), fc.record({ channel_id: fc.integer({ min: 1, max: 4 }) })),
  write(only('POST'), only('/v1/me/notifications/read'), only({})),
)

/** `nth-3` is the third of the records or reviews there are: ids grow from run to run. */
function resolved(path: string, params: Params): [path: string, params: Params] {
  const list = /review/.test(path + Object.keys(params)) ? 'reviews' : 'records'
  const ids = rows(list).map(({ id }) => id)
  const idOf = (name: string) => String(ids[(Number(name.slice(4)) - 1) % ids.length] ?? 999_999)
  const known = Object.entries(params).map(([name, value]) => [
    name,
    /^nth-/.test(String(value)) ? idOf(String(value)) : value,
  ])
  return [path.replace(/nth-\d+/, idOf), Object.fromEntries(known)]
}

test('after any writes of several users every counter and every rank is what counting gives (D40)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(writes, { minLength: 10, maxLength: 40 }), async (asked) => {
      for (const [who, method, path, params] of asked) {
        const response = await people[who]?.send(method, ...resolved(path, params))
        expect(response?.status).toBeOneOf([200, 204, 400, 404])
      }
      checkCounters()
      checkRanks()
      expect(findDrift(handle)).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('and after writes that are sent all at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(writes, { minLength: 10, maxLength: 40 }), async (asked) => {
      const sent = asked.map(async ([who, method, path, params]) =>
        people[who]?.send(method, ...resolved(path, params)),
      )
      for (const response of await Promise.all(sent)) {
        expect(response?.status).toBeOneOf([200, 204, 400, 404])
      }
      checkCounters()
      checkRanks()
    }),
    { numRuns: 20 },
  )
})

test('and after everything is deleted', () => {
  for (const table of ['records', 'reviews', 'statuses', 'activities', 'follows', 'favorites', 'likes']) {
    handle.run(`delete from ${table}`)
  }
  checkCounters()
  checkRanks()
  expect(rows('notifications')).toEqual([])
  expect(findDrift(handle)).toEqual([])
})

test('a counter and a rank that are wrong are found', () => {
  handle.run('update users set records_count = 7 where id = 1')
  handle.run("insert into ranks (list, key, block, n) values ('records', 0, 5, 2)")
  handle.run("delete from ranks where list = 'users' and block = -1")
  expect(findDrift(handle)).toEqual([
    { table: 'users', column: 'records_count', row: 1, kept: 7, counted: 0 },
    { table: 'ranks', column: 'n', row: 'records 0 5', kept: 2, counted: 0 },
    { table: 'ranks', column: 'n', row: 'users 0 -1', kept: 0, counted: 4 },
  ])
  expect(findDrift(handle, 1)).toHaveLength(1)
})
