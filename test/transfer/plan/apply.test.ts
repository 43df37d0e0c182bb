import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findDrift } from '../../../src/catalogue/counters/recount'
import type { ListRow } from '../../../src/transfer/row'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'
import {
  addUsers,
  applyList,
  applyPart,
  type ListOfRows,
  type LoggedChange,
  matchOf,
  planList,
} from '../../support/planned-lists'
import { add } from '../../support/seed'

const now = Date.UTC(2026, 3, 1, 12)
const ids = { a: 1, b: 2, c: 3, d: 4, empty: 5, film: 6, gone: 7 }
let store: CatalogueStore

beforeAll(async () => {
  store = await catalogueStore()
  await store.write(async (tx) => {
    const works = Object.entries(ids).map(([title, id]) => ({ id, title, media: 'tv' }))
    await add(
      tx,
      'works',
      works.map((work) => ({ ...work, ...more[work.title] })),
    )
    for (const [work_id, count, columns] of [
      [1, 3],
      [2, 3],
      [3, 3],
      [4, 2, { estimated: 1 }],
    ] as const)
      await add(
        tx,
        'episodes',
        numbered(work_id, count).map((episode) => ({ ...episode, ...columns })),
      )
  })
  addUsers(store.handle, 1, 2, 3, 4, 5, 6)
})

const more: Readonly<Record<string, object>> = {
  film: { media: 'movie', no_episodes: 1 },
  gone: { hidden: 1 },
}

const numbered = (work_id: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ work_id, number: String(at + 1), sort_number: (at + 1) * 10 }))

afterAll(() => store.close())

const listOf = (
  userId: number,
  key: keyof typeof ids,
  row: Partial<ListRow>,
  more: Partial<ListOfRows> = {},
): ListOfRows => ({
  ...{ userId, now, matches: [matchOf(row, { workId: ids[key], growsTo: key === 'd' ? 5 : null })] },
  ...more,
})

const records = (userId: number) =>
  store.rows(
    `select sort_number / 10 as place, r.work_id, lap, watched_at, watched_at_precision as precision, r.created_at, comment, rating_state
    from records as r join episodes on episodes.id = episode_id where user_id = ? order by r.id`,
    userId,
  )

const day = Date.UTC(2020, 0, 5, 3)

const logged = (table_name: string, change: { readonly row_id: number } & Partial<LoggedChange>) => ({
  ...{ table_name, work_id: ids.a, last_id: change.row_id, before: null, after: null, ...change },
})

test('a row is written without activities and notifications, and counted by the counters', async () => {
  const before = store.row<{ n: number }>('select records_count as n from users where id = 2')
  const row = {
    status: 'watched',
    progress: 3,
    startedOn: '2020-01-05',
    rating: 'good',
    note: '庭',
    rewatches: 2,
  } as const
  const changes = await applyList(store.write, listOf(1, 'a', row))
  expect(records(1)).toMatchObject([
    { place: 1, lap: 1, watched_at: day, precision: 'day', created_at: day, comment: '', rating_state: null },
    { place: 2, watched_at: now, precision: 'none', created_at: now },
    { place: 3, watched_at: now, precision: 'none' },
  ])
  const status = {
    kind: 'watched',
    changed_at: now,
    started_on: '2020-01-05',
    finished_on: null,
    rewatches: 2,
    ...{ private: 0, withheld: 0, hidden_by: null, first_activity_id: 1 },
  }
  expect(store.row('select * from statuses where user_id = 1')).toEqual({
    user_id: 1,
    work_id: ids.a,
    ...status,
  })
  const review = {
    body: '庭',
    rating_overall_state: 'good',
    watched_at: null,
    modified_at: null,
    created_at: now,
  }
  expect(store.row('select * from reviews where user_id = 1')).toMatchObject({ work_id: ids.a, ...review })
  for (const table of ['activities', 'notifications', 'acts'])
    expect(store.row(`select count(*) as n from ${table}`)).toEqual({ n: 0 })
  expect(findDrift(store.handle)).toEqual([])
  const id = store.row<{ a: number; b: number }>(
    'select min(id) as a, max(id) as b from records where user_id = 1',
  )
  const entry = store.row<{ id: number }>('select id from library_entries where user_id = 1')
  const [{ id: reviewId = 0 } = {}] = store.rows<{ id: number }>('select id from reviews where user_id = 1')
  const own = { user_id: 1, work_id: ids.a }
  expect<readonly object[]>(changes).toEqual([
    logged('records', { row_id: id.a, last_id: id.b }),
    logged('library_entries', { row_id: entry.id }),
    logged('statuses', { row_id: ids.a, after: { ...own, ...status } }),
    logged('reviews', { row_id: reviewId, after: store.row('select * from reviews where id = ?', reviewId) }),
  ])
  expect(store.row('select records_count as n from users where id = 2')).toEqual(before)
})

test('a row written in parts has the same result as at once', async () => {
  const plays = [0, 20, 200].flatMap((hours) =>
    [1, 2, 4].map((number) => ({ episode: number, watchedAt: day + hours * 3_600_000, comment: `${hours}` })),
  )
  const row = { status: 'watching', progress: 5, plays, note: 'x' } as const
  const parts: LoggedChange[] = []
  let transactions = 1
  while (!(await applyPart(store.write, listOf(2, 'd', row), 0, 2, parts))) transactions++
  expect(transactions).toBe(8)
  const whole = await applyList(store.write, listOf(3, 'd', row))
  expect(records(3)).toEqual(records(2))
  expect(records(2).length).toBe(11)
  const laps = (userId: number) =>
    store.rows('select work_id, number, started_at from laps where user_id = ?', userId)
  expect(laps(2)).toEqual([
    { work_id: ids.d, number: 2, started_at: day + 20 * 3_600_000 },
    { work_id: ids.d, number: 3, started_at: day + 200 * 3_600_000 },
  ])
  expect(laps(3)).toEqual(laps(2))
  const tables = (changes: readonly LoggedChange[]) => new Set(changes.map(({ table_name }) => table_name))
  expect(tables(parts)).toEqual(new Set([...tables(whole), 'episodes']))
  expect(findDrift(store.handle)).toEqual([])
})

test('added episodes follow the last one, are estimated, and stay if they exist', async () => {
  const grown = store.rows(
    'select number, number_text, sort_number, estimated, source_id from episodes where work_id = ?',
    ids.d,
  )
  expect(grown.slice(2)).toEqual(
    [3, 4, 5].map((n) => ({
      number: `${n}`,
      number_text: `第${n}話`,
      sort_number: n * 10,
      estimated: 1,
      source_id: 3,
    })),
  )
  expect((await planList(store.read, listOf(4, 'd', { progress: 5 })))[0]?.writes?.growsTo).toBeNull()
})

test('numbers of hidden episodes are taken; they are not recorded', async () => {
  store.handle.run('update episodes set hidden = 1, estimated = 1 where work_id = ? and sort_number = 30', [
    ids.c,
  ])
  const match = matchOf({ progress: 3 }, { workId: ids.c, growsTo: 3 })
  await applyList(store.write, { userId: 4, now, matches: [match] })
  expect(records(4).map(({ place }) => place)).toEqual([1, 2, 4])
})

test('a changed status and a changed review are logged with their former values', async () => {
  await applyList(store.write, listOf(5, 'b', { status: 'watching', note: 'a', rating: 'bad' }))
  const row = { status: 'watched', note: 'b', updatedAt: now - 5 } as const
  const later = { now: now + 9, options: { conflict: 'file' } } as const
  const changes = await applyList(store.write, listOf(5, 'b', row, later))
  const status = { started_on: null, finished_on: null, rewatches: null }
  const review = { rating_overall_state: 'bad', watched_at: null, watched_at_precision: null } as const
  const [reviewId, work_id] = [
    store.row<{ id: number }>('select id from reviews where user_id = 5').id,
    ids.b,
  ]
  expect<readonly object[]>(changes).toMatchObject([
    logged('statuses', {
      ...{ work_id, row_id: ids.b },
      before: { ...status, kind: 'watching', changed_at: now },
      after: { ...status, kind: 'watched', changed_at: now - 5 },
    }),
    logged('reviews', {
      ...{ work_id, row_id: reviewId },
      before: { ...review, body: 'a', modified_at: null, version: 1 },
      after: { ...review, body: 'b', modified_at: now + 9, version: 2 },
    }),
  ])
  expect(await applyList(store.write, listOf(5, 'b', row, later))).toEqual([])
})

test('a film is a viewing', async () => {
  await applyList(store.write, listOf(6, 'film', { status: 'watched', finishedOn: '2020-01-05' }))
  expect(store.row('select body, watched_at, watched_at_precision from reviews where user_id = 6')).toEqual({
    ...{ body: '', watched_at: day, watched_at_precision: 'day' },
  })
})

test('a merged work is its survivor; a hidden one does not exist', async () => {
  store.handle.run("insert into redirects (kind, from_id, to_id) values ('work', 999, ?)", [ids.a])
  const planned = await planList(store.read, {
    ...{ userId: 6, now },
    matches: [
      matchOf({ status: 'watched' }, { workId: 999 }),
      matchOf({ status: 'watched' }, { workId: ids.gone }),
    ],
  })
  expect(planned.map(({ state, writes }) => [state, writes?.workId])).toEqual([
    ['new', ids.a],
    ['not_found', undefined],
  ])
})

test('for a series with an empty list, only the status is written until the list grows', async () => {
  const row = { status: 'watching', progress: 3 } as const
  const match = matchOf(row, { workId: ids.empty, growsTo: 3 })
  const [short, long] = await planList(store.read, {
    userId: 6,
    now,
    matches: [{ ...match, growsTo: null }, match],
  })
  expect([short?.shown.episodes, long?.shown.episodes, long?.writes?.growsTo]).toEqual([0, 3, 3])
})
