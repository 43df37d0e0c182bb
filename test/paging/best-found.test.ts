import { afterAll, expect, test } from 'bun:test'
import { rowAdder } from '../../src/catalogue/search/index-row'
import { createInstance, idsOf, query } from '../support/instance'

const kiroku = await createInstance()
const { json, store } = kiroku
afterAll(kiroku.close)

/** More than a search keeps. */
const works = 1060

store.handle.transaction(() => {
  const add = rowAdder(store.handle, 'works')
  for (let id = 1000; id < 1000 + works; id++) {
    const title = `ねこ${(id * 7) % 100}`
    store.handle.run(
      `insert into works (id, title, media, season_year, watchers_count, source_id) values (?1, ?2, 'tv', 2000 + ?1 % 7, ?3, 1)`,
      [id, title, (id * 37) % 1009],
    )
    add({ id, titles: [title], others: [], readings: [], site: '' })
  }
})()

async function allPages(params: Record<string, string>): Promise<readonly number[]> {
  const ids: number[] = []
  for (let page = 1; page <= 21; page++) {
    const body = await json(
      `/v1/works${query({ filter_query: 'ねこ', per_page: '50', page: String(page), fields: 'id', ...params })}`,
    )
    expect(body.total_count).toBe(1000)
    ids.push(...idsOf(body))
  }
  return ids
}

test('of more works than a search keeps, the best thousand can be sorted differently', async () => {
  const best = await allPages({})
  expect(await allPages({ sort_id: 'desc' })).toEqual(best.toSorted((one, other) => other - one))
  expect(await allPages({ sort_season: 'asc' })).toEqual(
    best.toSorted((one, other) => (one % 7) - (other % 7) || one - other),
  )
})
