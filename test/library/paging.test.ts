import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Body, createInstance, idsOf, query } from '../support/instance'

const kiroku = await createInstance()
const { json, store } = kiroku
const { handle } = store
afterAll(kiroku.close)

// Enough that most pages are beyond a block of 4,096 ids, with some ids missing, even all ids of a block.
const count = 9_500
const users = 130

/** `expression` yields the values of a row from its number `i`. */
const insertMany = (table: string, columns: string, expression: string, n = count) =>
  handle.run(
    `insert into ${table} (${columns})
     with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${n})
     select ${expression} from numbers`,
  )

beforeAll(() => {
  handle.run('begin')
  // The seeded catalogue makes these numbers up.
  handle.run('update episodes set records_count = 0')
  handle.run('update works set reviews_count = 0')
  insertMany(
    'users',
    'id, username, username_key, name, email, email_key, password_hash, created_at',
    `10 + i, 'u' || i, 'u' || i, 'u', 'e' || i, 'e' || i, 'none', 0`,
    users - 4,
  )
  insertMany(
    'records',
    'id, user_id, work_id, episode_id, comment, likes_count, watched_at, created_at',
    `i, 1 + i % 4, 1 + (i % 7 = 0), iif(i % 7 = 0, 6, 1 + i % 4), iif(i % 3, '', 'c'), iif(i % 4, 0, i % 5), 0, i`,
  )
  insertMany(
    'reviews',
    'id, user_id, work_id, body, likes_count, created_at',
    `i, 1 + i % 4, 1 + i % 2, iif(i % 3, 'b', ''), i * 31 % 6, i`,
  )
  insertMany(
    'activities',
    'id, user_id, work_id, action, record_id, review_id, status_kind, created_at',
    `i, 1 + i % 4, 1, iif(i % 9 = 0, 'create_status', iif(i % 2, 'create_record', 'create_review')),
     iif(i % 9 and i % 2, i, null), iif(i % 9 and i % 2 = 0, i, null), iif(i % 9, null, 'watched'), 0`,
  )
  handle.run(`
    insert into follows (follower_id, followed_id, created_at)
    select a.id, b.id, 0 from users a join users b on a.id <> b.id order by a.id * 31 % 17, b.id limit ${count}`)
  for (const table of ['records', 'reviews']) {
    handle.run(`delete from ${table} where id % 11 = 0 or id between 4000 and 4100`)
  }
  handle.run('delete from activities where id between 4096 and 8191')
  handle.run('delete from follows where id % 13 = 0')
  handle.run('commit')
})

type Row = Readonly<Record<string, Body>>

/** What each filter keeps and each sort compares, implemented a second time. */
interface List {
  readonly table: string
  readonly id?: string
  readonly filters: Readonly<Record<string, readonly [value: string, keeps: (row: Row) => boolean][]>>
  readonly sorts: readonly string[]
}

const flag = (column: string): [string, (row: Row) => boolean][] => [
  ['true', (row) => row[column] !== ''],
  ['false', (row) => row[column] === ''],
]
const named: [string, (row: Row) => boolean][] = [
  ['MIO', ({ user_id }) => user_id === 1],
  ['nobody', () => false],
]
const acting = (...actions: string[]): [string, (row: Row) => boolean] => [
  actions.join(','),
  ({ action }) => actions.includes(action),
]

const lists: Readonly<Record<string, List>> = {
  '/v1/records': {
    table: 'records',
    filters: {
      filter_has_record_comment: flag('comment'),
      filter_episode_id: [['1', ({ episode_id }) => episode_id === 1]],
      filter_work_id: [['1', ({ work_id }) => work_id === 1]],
      filter_username: named,
      filter_ids: [['9,4097,8200,12,9499', ({ id }) => [9, 4097, 8200, 12, 9499].includes(id)]],
    },
    sorts: ['sort_id', 'sort_likes_count'],
  },
  '/v1/reviews': {
    table: 'reviews',
    filters: {
      filter_has_review_body: flag('body'),
      filter_work_id: [['2', ({ work_id }) => work_id === 2]],
      filter_username: named,
    },
    sorts: ['sort_id', 'sort_likes_count'],
  },
  '/v1/activities': {
    table: 'activities',
    filters: {
      filter_actions: [
        acting('create_status'),
        acting('create_record', 'create_status'),
        acting('create_review'),
      ],
      filter_user_id: [['2', ({ user_id }) => user_id === 2]],
      filter_username: named,
    },
    sorts: ['sort_id'],
  },
  '/v1/followers': {
    table: 'follows',
    id: 'follower_id',
    filters: { filter_user_id: [['2', ({ followed_id }) => followed_id === 2]] },
    sorts: ['sort_id'],
  },
  '/v1/following': {
    table: 'follows',
    id: 'followed_id',
    filters: { filter_username: [['mio', ({ follower_id }) => follower_id === 1]] },
    sorts: ['sort_id'],
  },
}

const asc = ['asc', 'desc']

/** The ids that a list must return, in D14's order: the id first, then likes, ties by id. */
function expected(
  { table, id = 'id' }: List,
  keeps: ((row: Row) => boolean)[],
  sorts: Record<string, string>,
) {
  kept[table] ??= handle.query<Row, []>(`select * from ${table} order by id`).all()
  const rows = kept[table]
  const turned = (way: string | undefined) => (way === 'desc' ? -1 : 1)
  const { sort_id, sort_likes_count: likes } = sorts
  return rows
    .filter((row) => keeps.every((keep) => keep(row)))
    .sort((a, b) => {
      if (sort_id) return turned(sort_id) * (a.id - b.id)
      return (likes ? turned(likes) * (a.likes_count - b.likes_count) : 0) || a.id - b.id
    })
    .map((row) => row[id])
}

const kept: Record<string, Row[]> = {}

describe.each(Object.entries(lists))('%s, far into the list', (path, list) => {
  const chosenFilters = fc
    .subarray(Object.keys(list.filters), { maxLength: Math.min(2, Object.keys(list.filters).length) })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(list.filters[name] ?? [])))),
      ),
    )
  const chosenSorts = fc
    .subarray([...list.sorts])
    .chain((names) => fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), fc.constantFrom(...asc)))))

  test('any page with any filters and sorts has the right rows (D8, D14)', async () => {
    await fc.assert(
      fc.asyncProperty(
        chosenFilters,
        chosenSorts,
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 1.02, noNaN: true }),
        async (filters, sorts, perPage, place) => {
          const params = Object.fromEntries([...sorts, ...filters.map(([name, [value]]) => [name, value])])
          const ids = expected(
            list,
            filters.map(([, [, keep]]) => keep),
            Object.fromEntries(sorts),
          )
          const page = 1 + Math.floor((place * ids.length) / perPage)
          const asked = { ...params, per_page: String(perPage), page: String(page), fields: 'id' }
          const body = await json(path + query(asked))
          const from = (page - 1) * perPage
          expect([asked, idsOf(body)]).toEqual([asked, ids.slice(from, from + perPage)])
          expect(body.total_count).toBe(ids.length)
          expect(body.next_page).toBe(from + perPage < ids.length ? page + 1 : null)
        },
      ),
      { numRuns: 100 },
    )
  })

  const orders = list.sorts.flatMap((sort) => asc.map((way) => ({ [sort]: way })))
  test.each([{}, ...orders])('all pages sorted by %j contain every row once', async (sorts) => {
    const walked: number[] = []
    for (let page: number | null = 1; page !== null; ) {
      const body: Body = await json(
        path + query({ ...sorts, fields: 'id', per_page: '50', page: String(page) }),
      )
      walked.push(...idsOf(body))
      page = body.next_page
    }
    expect(walked).toEqual(expected(list, [], sorts))
  })
})

test('newly written rows are found in their place', async () => {
  const total = (await json('/v1/records?per_page=1')).total_count
  handle.run(
    "insert into records (user_id, work_id, episode_id, comment, watched_at, created_at) values (1, 1, 1, 'x', 0, 0)",
  )
  const last = `/v1/records?per_page=1&page=${total + 1}`
  const [newest] = idsOf(await json(last))
  handle.run('update records set likes_count = 100 where id = ?', [newest ?? 0])
  expect(idsOf(await json(`${last}&sort_likes_count=asc`))).toEqual([newest ?? 0])
  handle.run('delete from records where id = ?', [newest ?? 0])
  expect(await json(last)).toMatchObject({
    records: [],
    total_count: total,
    next_page: null,
    prev_page: total,
  })
})
