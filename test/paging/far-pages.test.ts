import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { reindexRows } from '../../src/catalogue/search/index-row'
import { type Body, createInstance, idsOf, query } from '../support/instance'

const kiroku = await createInstance()
const { json, store } = kiroku
const { handle } = store
afterAll(kiroku.close)

// Enough that pages are walked to from the nearer end.
const count = 3_000
const numbers = `with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${count})`

beforeAll(() => {
  handle.run('begin')
  handle.run(`
    insert into works (id, title, media, season_year, season, watchers_count, hidden, source_id) ${numbers}
    select 1000 + i * 2, 'w', 'tv', iif(i % 5, 2000 + i % 7, null), iif(i % 5 and i % 3, 'summer', null), i * 37 % 11,
      i % 19 = 0, 1 from numbers`)
  handle.run(`
    insert into episodes (id, work_id, sort_number, hidden, source_id) ${numbers}
    select 1000 + i * 3, 1002 + i % 9 * 2, i * 31 % 13, i % 17 = 0, 1 from numbers`)
  handle.run(`insert into statuses (user_id, work_id, kind, changed_at) ${numbers}
    select 1, 1000 + i * 2, iif(i % 4, 'watched', 'stop_watching'), 0 from numbers where i % 23`)
  for (const table of ['notifications', 'follows']) handle.run(`delete from ${table}`)
  handle.run(`
    insert into users (id, username, username_key, name, email, email_key, password_hash, created_at) ${numbers}
    select 100 + i, 'u' || i, 'u' || i, 'u', 'e' || i, 'e' || i, 'none', 0 from numbers`)
  handle.run(`insert into follows (id, follower_id, followed_id, created_at)
    select id, id, 1, 0 from users where id > 1`)
  handle.run(`insert into notifications (user_id, actor_id, follow_id, read_at, created_at)
    select 1, follower_id, id, iif(id % 3, null, 5), 0 from follows where followed_id = 1`)
  handle.run('commit')
  const ids = Array.from({ length: count }, (_, i) => 1002 + i * 2)
  handle.transaction(() => reindexRows(handle, 'works', ids))()
})

/** Each list's rows and sorts in SQL, implemented a second time. */
const lists = {
  '/v1/works': {
    rows: 'works where hidden = 0',
    sorts: { sort_id: 'id', sort_season: 'season_rank', sort_watchers_count: 'watchers_count' },
  },
  '/v1/me/works': {
    rows: 'works where id in (select work_id from statuses where user_id = 1)',
    sorts: { sort_id: 'id', sort_season: 'season_rank', sort_watchers_count: 'watchers_count' },
  },
  '/v1/works?filter_title=w': {
    rows: "works where hidden = 0 and title like '%w%'",
    sorts: { sort_id: 'id', sort_season: 'season_rank' },
  },
  '/v1/me/works?filter_status=watched': {
    rows: "works where id in (select work_id from statuses where user_id = 1 and kind = 'watched')",
    sorts: { sort_id: 'id', sort_watchers_count: 'watchers_count' },
  },
  '/v1/me/notifications': { rows: 'notifications where user_id = 1', sorts: { sort_id: 'id' } },
  '/v1/me/notifications?filter_unread=true': {
    rows: 'notifications where user_id = 1 and read_at is null',
    sorts: { sort_id: 'id' },
  },
  '/v1/me/notifications?filter_unread=false': {
    rows: 'notifications where user_id = 1 and read_at is not null',
    sorts: { sort_id: 'id' },
  },
  '/v1/users': { rows: 'users', sorts: { sort_id: 'id' } },
  '/v1/episodes': {
    rows: 'episodes where hidden = 0',
    sorts: { sort_id: 'id', sort_sort_number: 'sort_number' },
  },
} as const

describe.each(Object.entries(lists))('%s, far into the list', (path, { rows, sorts }) => {
  const order = fc
    .subarray(Object.entries(sorts))
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map(([name, column]) =>
          fc.tuple(fc.constant(name), fc.constant(column), fc.constantFrom('asc', 'desc')),
        ),
      ),
    )

  test('any page in any order has the right rows, from whichever end it is reached (D8, D14)', async () => {
    await fc.assert(
      fc.asyncProperty(
        order,
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0.2, max: 1.02, noNaN: true }),
        async (sorted, perPage, place) => {
          const by = [...sorted.map(([, column, way]) => `${column} ${way} nulls last`), 'id'].join(', ')
          const ids = handle
            .query<{ id: number }, []>(`select id from ${rows} order by ${by}`)
            .all()
            .map(({ id }) => id)
          const page = 1 + Math.floor((place * ids.length) / perPage)
          const params = Object.fromEntries(sorted.map(([name, , way]) => [name, way]))
          const asked = { ...params, per_page: String(perPage), page: String(page), fields: 'id' }
          const body: Body = await json(path + query(asked).replace('?', path.includes('?') ? '&' : '?'))
          const from = (page - 1) * perPage
          expect([asked, idsOf(body)]).toEqual([asked, ids.slice(from, from + perPage)])
          expect(body.total_count).toBe(ids.length)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe.each(['asc', 'desc'])('works by id, %s, far into the list', (way) => {
  const hidden = fc.record({ change: fc.constant('hide'), at: fc.nat({ max: count - 1 }) })
  const shown = fc.record({ change: fc.constant('page'), at: fc.integer({ min: 400, max: 2400 }) })

  test('pages are right after rows before them were hidden or shown again (D14)', async () => {
    const steps = fc.array(fc.oneof({ weight: 1, arbitrary: hidden }, { weight: 3, arbitrary: shown }), {
      minLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        for (const { change, at } of taken) {
          if (change === 'hide') await turn(1002 + at * 2)
          else {
            const page = 1 + Math.floor(at / 20)
            const body: Body = await json(`/v1/works?sort_id=${way}&per_page=20&page=${page}&fields=id`)
            const ids = handle
              .query<{ id: number }, []>(`select id from works where hidden = 0 order by id ${way}`)
              .all()
            const from = (page - 1) * 20
            expect(idsOf(body)).toEqual(ids.slice(from, from + 20).map(({ id }) => id))
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})

const turn = (id: number) =>
  store.write((tx) =>
    tx
      .updateTable('works')
      .set(({ eb }) => ({ hidden: eb(eb.val(1), '-', eb.ref('hidden')) }))
      .where('id', '=', id)
      .execute(),
  )
