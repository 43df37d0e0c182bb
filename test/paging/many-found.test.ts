import { afterAll, expect, test } from 'bun:test'
import { indexRow } from '../../src/catalogue/search/contains'
import { createInstance, idsOf, query } from '../support/instance'

const works = 2600

/** Enough works with the same text in their titles that a sorted page is read from the sort's index. */
const kiroku = await createInstance()
const { json, store } = kiroku
const { handle } = store
afterAll(kiroku.close)

handle.transaction(() => {
  for (let id = 1000; id < 1000 + works; id++) {
    const title = id % 10 === 0 ? 'z' : `q${id}`
    handle.run(
      `insert into works (id, title, media, season_year, season, watchers_count, hidden, source_id)
       values (?1, ?2, 'tv', iif(?1 % 4, 2000 + ?1 % 7, null), iif(?1 % 4 > 1, 'spring', null), ?1 * 7 % 5, ?1 % 50 = 7, 1)`,
      [id, title],
    )
    indexRow(handle, 'works', id, [title])
  }
})()

const rows = handle
  .query<{ id: number; season: number | null; watchers: number }, []>(
    `select id, season_rank as season, watchers_count as watchers from works
     where title like 'q%' and hidden = 0 order by id`,
  )
  .all()

const bySeason = (direction: number) =>
  rows.toSorted(({ season: one }, { season: other }) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return direction * (one - other)
  })

const orders = [
  ['sort_season', 'asc', bySeason(1)],
  ['sort_season', 'desc', bySeason(-1)],
  ['sort_watchers_count', 'asc', rows.toSorted((one, other) => one.watchers - other.watchers)],
  ['sort_watchers_count', 'desc', rows.toSorted((one, other) => other.watchers - one.watchers)],
] as const

test.each(orders)(
  '%s=%s: every page of a filter that leaves most works is right',
  async (sort, direction, expected) => {
    expect(rows.length).toBeGreaterThan(2000)
    const ids: number[] = []
    for (let page = 1; page <= Math.ceil(rows.length / 50); page++) {
      const asked = { filter_title: 'q', [sort]: direction, per_page: '50', page: String(page) }
      const body = await json(`/v1/works${query(asked)}`)
      expect(body.total_count).toBe(rows.length)
      ids.push(...idsOf(body))
    }
    expect(ids).toEqual(expected.map(({ id }) => id))
  },
)

test('with a second filter too', async () => {
  const asked = { filter_title: 'q', filter_season: '2003-all', sort_watchers_count: 'desc', per_page: '50' }
  const { total_count, works: found } = await json(`/v1/works${query(asked)}`)
  const of2003 = rows.filter(({ season }) => Math.floor(Number(season) / 10) === 2003)
  expect(total_count).toBe(of2003.length)
  const best = of2003.toSorted((one, other) => other.watchers - one.watchers).slice(0, 50)
  expect(idsOf({ works: found })).toEqual(best.map(({ id }) => id))
})
