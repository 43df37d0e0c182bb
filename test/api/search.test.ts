import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { endpoints } from '../../src/app'
import { createInstance, idsOf, query, refusals } from '../support/instance'
import { fill, seedCatalogue } from '../support/seed'

const many = Array.from({ length: 60 }, (_, at) => ({
  id: 100 + at,
  title: `旅${'の'.repeat(at % 7)}記録${at % 3 === 0 ? '' : at}`,
  media: at % 2 === 0 ? 'tv' : 'movie',
  season_year: 2000 + (at % 5),
  season: 'spring',
  popularity: (at * 37) % 11,
  hidden: Number(at === 13),
}))
const kiroku = await createInstance({
  seed: async (store) => {
    await seedCatalogue(store)
    const other = { password_hash: '', created_at: 1, records_count: 9 }
    await fill(store, {
      works: many,
      users: [{ id: 9, username: 'amio', username_key: 'amio', name: 'z', email: 'z@example.com', ...other }],
    })
  },
})
const { get, json } = kiroku
afterAll(kiroku.close)

const searchable = endpoints
  .filter(({ operation }) => 'filter_query' in operation.params)
  .map(({ path }) => path)
const found = async (path: string, params: Record<string, string>) => idsOf(await json(path + query(params)))

test('works, characters, people, organizations, series and users are found by filter_query', () => {
  expect(searchable.toSorted()).toEqual(
    ['characters', 'organizations', 'people', 'series', 'users', 'works'].map((name) => `/v1/${name}`),
  )
})

describe.each(searchable)('%s', (path) => {
  test('filter_query accepts 200 characters, not 201; a blank counts as none (D7, D13)', async () => {
    const { total_count } = await json(path)
    expect((await get(path + query({ filter_query: '漢'.repeat(200) }))).status).toBe(200)
    expect(
      await refusals(await get(path + query({ filter_query: '漢'.repeat(201) })), 'invalid_params'),
    ).toEqual(['filter_query must be at most 200 characters long.'])
    expect((await json(path + query({ filter_query: ' 　' }))).total_count).toBe(total_count)
  })

  test('no text is refused or causes a fault', async () => {
    const nasty = [
      '"',
      '^',
      '*',
      'a AND',
      'NEAR(',
      '🎌',
      '%',
      '_',
      '\\',
      '\u{10ffff}',
      '2期',
      'mal:1',
      'https://',
      '!!',
    ]
    for (const text of [...nasty, ...nasty.map((one) => one.repeat(200).slice(0, 180))]) {
      const response = await get(path + query({ filter_query: text }))
      expect([text, response.status]).toEqual([text, 200])
    }
  })
})

test.each([
  ['/v1/characters', 'あおい', [1]],
  ['/v1/people', 'minato', [1]],
  ['/v1/people', 'みなと', [1]],
  ['/v1/organizations', 'ハル', [2]],
  ['/v1/series', 'hoshifuru', [1]],
  ['/v1/users', 'mio', [1, 9]],
  ['/v1/users', '@ritsu', [2]],
  ['/v1/users', 'ミオ', [1]],
  ['/v1/users', 'z', [9, 4]],
])('%s finds %s, and nothing hidden', async (path, filter_query, ids) => {
  expect(await found(path, { filter_query })).toEqual(ids)
})

describe('a ranked list', () => {
  test('its pages add up to the whole, without duplicates and hidden works, whatever their size', async () => {
    const filter_query = '旅'
    const whole = [
      ...(await found('/v1/works', { filter_query, per_page: '50' })),
      ...(await found('/v1/works', { filter_query, per_page: '50', page: '2' })),
    ]
    expect([new Set(whole).size, whole.includes(113)]).toEqual([59, false])
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 70 }),
        async (perPage, page) => {
          const params = { filter_query, per_page: String(perPage), page: String(page) }
          const body = await json(`/v1/works${query(params)}`)
          expect(idsOf(body)).toEqual(whole.slice((page - 1) * perPage, page * perPage))
          expect(body.total_count).toBe(59)
        },
      ),
    )
  })

  test('can be narrowed by other filters and sorted differently', async () => {
    const best = await found('/v1/works', { filter_query: '旅の', per_page: '50' })
    const years = new Map(many.map(({ id, season_year }) => [id, season_year]))
    const of2001 = best.filter((id) => years.get(id) === 2001)
    expect(
      await found('/v1/works', { filter_query: '旅の', filter_season: '2001-spring', per_page: '50' }),
    ).toEqual(of2001)
    expect(await found('/v1/works', { filter_query: '旅の', filter_ids: '101,106,1' })).toEqual(
      best.filter((id) => id === 101 || id === 106),
    )
    expect(await found('/v1/works', { filter_query: '旅の', sort_id: 'desc', per_page: '50' })).toEqual(
      best.toSorted((one, other) => other - one),
    )
    const both = await found('/v1/works', { filter_query: '旅の', filter_title: 'のの', per_page: '50' })
    expect(both).toEqual(best.filter((id) => many.find((one) => one.id === id)?.title.includes('のの')))
  })

  test('keeps its results when combined with a text that more works have, in any order', async () => {
    const [few, most] = [{ filter_query: '旅のの' }, { filter_title: '旅の', per_page: '50' }]
    const best = await found('/v1/works', { ...few, per_page: '50' })
    expect(best.length).toBeWithin(1, (await found('/v1/works', most)).length)
    expect(await found('/v1/works', { ...few, ...most })).toEqual(best)
    for (const [order, direction] of [
      ['asc', 1],
      ['desc', -1],
    ] as const) {
      const body = await json(`/v1/works${query({ ...few, ...most, sort_id: order })}`)
      expect(idsOf(body)).toEqual(best.toSorted((one, other) => direction * (one - other)))
      expect(body.total_count).toBe(best.length)
    }
  })

  test('is not in id order', async () => {
    const ids = await found('/v1/works', { filter_query: '旅の', per_page: '50' })
    expect(ids).not.toEqual(ids.toSorted((one, other) => one - other))
  })
})

test('data used only by the search is never returned', async () => {
  const body = await json('/v1/works?filter_ids=100')
  for (const name of ['popularity', 'search_names', 'search_readings'])
    expect(body.works[0]).not.toHaveProperty(name)
})
