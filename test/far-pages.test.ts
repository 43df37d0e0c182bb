import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Body, createInstance, idsOf, query } from './instance'

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
  handle.run('commit')
})

/** Each list's rows and sorts in SQL, a second time. */
const lists = {
  '/v1/works': {
    rows: 'works where hidden = 0',
    sorts: { sort_id: 'id', sort_season: 'season_rank', sort_watchers_count: 'watchers_count' },
  },
  '/v1/me/works': {
    rows: 'works where id in (select work_id from statuses where user_id = 1)',
    sorts: { sort_id: 'id', sort_season: 'season_rank', sort_watchers_count: 'watchers_count' },
  },
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

  test('any page in any order has its rows, from whichever end it is reached (D8, D14)', async () => {
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
          const body: Body = await json(path + query(asked))
          const from = (page - 1) * perPage
          expect([asked, idsOf(body)]).toEqual([asked, ids.slice(from, from + perPage)])
          expect(body.total_count).toBe(ids.length)
        },
      ),
      { numRuns: 100 },
    )
  })
})
