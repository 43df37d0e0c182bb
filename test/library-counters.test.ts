import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDrift } from '../src/catalogue/recount'
import { recount } from '../src/catalogue/set-counters'
import { anyWrite, resolved } from './any-write'
import { type Body, createInstance } from './instance'
import { personOf } from './people'
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
      if (table === 'records') add('records by work', row.work_id, -1)
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
  for (const { id } of rows('follows')) place('follows', 0, id)
  for (const { id } of rows('users')) place('users', 0, id)
  return cells
}

function checkRanks(): void {
  const kept = rows('ranks').filter(({ n }) => n !== 0)
  const cells = kept.map(({ list, key, block, n }) => [`${list}|${key}|${block}`, n] as const)
  expect(Object.fromEntries(cells)).toEqual(rankTruth())
}

test('after any writes of several users every counter and every rank is what counting gives (D40)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { minLength: 10, maxLength: 40 }), async (asked) => {
      for (const [who, method, path, params] of asked) {
        const response = await people[who]?.send(method, ...resolved(handle, path, params))
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
    fc.asyncProperty(fc.array(anyWrite, { minLength: 10, maxLength: 40 }), async (asked) => {
      const sent = asked.map(async ([who, method, path, params]) =>
        people[who]?.send(method, ...resolved(handle, path, params)),
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

test('and a recount sets them all right, whatever they said', () => {
  handle.run('delete from ranks')
  recount(handle)
  checkCounters()
  checkRanks()
  expect(findDrift(handle)).toEqual([])
})
