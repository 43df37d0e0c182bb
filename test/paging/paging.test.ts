import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { endpoints } from '../../src/app'
import { createInstance, idsOf, query } from '../support/instance'
import { fill } from '../support/seed'

const kiroku = await createInstance()
const { get, json, store } = kiroku
afterAll(kiroku.close)

/** What a list can be sorted and filtered by. */
interface Row {
  readonly id: number
  readonly hidden?: number
  readonly sort_number?: number
  readonly season_year?: number | null
  readonly season?: string | null
  readonly watchers_count?: number
}

const seasons = ['winter', 'spring', 'summer', 'autumn']
const count = 14

const work = fc.record({
  season_year: fc.option(fc.integer({ min: 2020, max: 2022 })),
  season: fc.option(fc.constantFrom(...seasons)),
  watchers_count: fc.integer({ min: 0, max: 2 }),
  hidden: fc.integer({ min: 0, max: 1 }),
})
const beside = fc.record({ work: fc.nat(), sort_number: fc.nat(3), hidden: fc.integer({ min: 0, max: 1 }) })
const alone = fc.record({ hidden: fc.integer({ min: 0, max: 1 }) })
const some = <T>(row: fc.Arbitrary<T>, minLength = 0) => fc.array(row, { minLength, maxLength: count })

/** A catalogue by table; people, characters and organizations have a first row that staff and casts refer to. */
const catalogues = fc
  .record({
    works: some(work),
    episodes: some(beside),
    casts: some(beside),
    staffs: some(beside),
    series: some(alone),
    characters: some(alone, 1),
    people: some(alone, 1),
    organizations: some(alone, 1),
  })
  .map(asRows)

interface Drawn {
  readonly works: {
    season_year: number | null
    season: string | null
    watchers_count: number
    hidden: number
  }[]
  readonly [table: string]: { work?: number; sort_number?: number; hidden: number }[]
}

function asRows({
  works,
  episodes = [],
  casts = [],
  staffs = [],
  series,
  characters,
  people,
  organizations,
}: Drawn) {
  const named = (rows: { hidden: number }[] = []) =>
    rows.map(({ hidden }, at) => ({ id: at + 1, name: `n${at}`, hidden }))
  const workRows = works.map((row, at) => ({
    ...row,
    id: at + 1,
    season: row.season_year === null ? null : row.season,
    title: `w${at}`,
    media: 'tv',
  }))
  const ofWorks = (rows: Drawn[string], more: object) =>
    workRows.length === 0
      ? []
      : rows.map(({ work = 0, sort_number = 0, hidden }, at) => {
          const of = workRows[work % workRows.length]
          const shown = hidden + 2 * (of?.hidden ?? 0)
          return { id: at + 1, work_id: of?.id, sort_number, hidden: shown, ...more }
        })
  return {
    series: named(series),
    works: workRows,
    episodes: ofWorks(episodes, {}),
    characters: named(characters),
    people: named(people),
    organizations: named(organizations),
    casts: ofWorks(casts, { character_id: 1, person_id: 1, name: 'c' }),
    staffs: ofWorks(staffs, { person_id: 1, name: 's', role: 'other' }),
  }
}

const nothing: Drawn = { works: [] }

/** The tables that the rows of each list refer to. */
const neededBy: Readonly<Record<string, readonly string[]>> = {
  episodes: ['works'],
  casts: ['works', 'characters', 'people'],
  staffs: ['works', 'people'],
}

/** The other tables stay empty: they would take most of the time. */
async function refill(rows: ReturnType<typeof asRows>, list: string): Promise<void> {
  const { handle } = store
  handle.run('pragma foreign_keys = off')
  handle.transaction(() => {
    for (const table of ['work_aliases', ...Object.keys(rows)]) handle.query(`delete from ${table}`).run()
  })()
  const isNeeded = ([table]: [string, unknown]) => table === list || neededBy[list]?.includes(table)
  await fill(store, Object.fromEntries(Object.entries(rows).filter(isNeeded)))
  handle.run('pragma foreign_keys = on')
}

/** D14's position of a season: a year alone comes after its autumn. */
const rank = ({ season_year: year = null, season = null }: Row) =>
  year === null ? null : year * 10 + (season === null ? 5 : seasons.indexOf(season) + 1)

const values: Readonly<Record<string, (row: Row) => number | null>> = {
  sort_id: ({ id }) => id,
  sort_season: rank,
  sort_watchers_count: ({ watchers_count = 0 }) => watchers_count,
  sort_sort_number: ({ sort_number = 0 }) => sort_number,
}

/** The order D14 specifies; sorts apply in the order of `values`, whatever their order in the URL. */
function ordered(rows: readonly Row[], sorts: Readonly<Record<string, string>>): number[] {
  const compare = (a: Row, b: Row) => {
    for (const [name, of] of Object.entries(values)) {
      const [one, other] = [of(a), of(b)]
      if (sorts[name] === undefined || one === other) continue
      if (one === null || other === null) return one === null ? 1 : -1
      return sorts[name] === 'asc' ? one - other : other - one
    }
    return a.id - b.id
  }
  return rows.toSorted(compare).map(({ id }) => id)
}

interface Asked {
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly perPage: number
}

/** Follows next_page to the end; checks on each page that its neighbours and its total are right. */
async function walk({ path, params, perPage }: Asked, total: number): Promise<number[]> {
  const ids: number[] = []
  const pages = Math.max(1, Math.ceil(total / perPage))
  for (let page = 1; page <= pages; page++) {
    const body = await json(path + query({ ...params, per_page: String(perPage), page: String(page) }))
    const next_page = page < pages ? page + 1 : null
    expect(body).toMatchObject({ total_count: total, next_page, prev_page: page === 1 ? null : page - 1 })
    ids.push(...idsOf(body))
  }
  for (const beyond of [pages + 1, pages + 7]) {
    const body = await json(path + query({ ...params, per_page: String(perPage), page: String(beyond) }))
    expect(idsOf(body)).toEqual([])
    expect(body).toMatchObject({ total_count: total, next_page: null, prev_page: total === 0 ? null : pages })
  }
  return ids
}

/** Rows that refer to something hidden are not listed (D42). */
const refersTo: Readonly<Record<string, readonly ('people' | 'characters')[]>> = {
  casts: ['people', 'characters'],
  staffs: ['people'],
}

/** The lists of the catalogue and of users; lists of what users write have their own test. */
const lists = endpoints.filter(({ path }) =>
  [...Object.keys(asRows(nothing)), 'users'].some((table) => path === `/v1/${table}`),
)

for (const { path, operation } of lists) {
  const table = path.split('/').at(-1) ?? ''
  const sorting = Object.keys(operation.params).filter((name) => name.startsWith('sort_'))
  test.each(sorting)(`${path}: this test knows what %s sorts by`, (name) => {
    expect(Object.keys(values)).toContain(name)
  })

  const sorts = fc
    .shuffledSubarray(sorting)
    .chain((names) =>
      fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), fc.constantFrom('asc', 'desc')))),
    )

  test(`${path}: however it is sorted, all pages together contain every shown row once, in order (D8, D14)`, async () => {
    await fc.assert(
      fc.asyncProperty(
        catalogues,
        fc.array(sorts, { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 7 }),
        fc.option(fc.array(fc.integer({ min: 1, max: count }))),
        async (rows, orders, perPage, ids) => {
          await refill(rows, table)
          const all: readonly Row[] = table === 'users' ? users : (rows[table as keyof typeof rows] as Row[])
          // Every cast and staff here refers to the first person, and every cast to the first character.
          const isListed = !(refersTo[table] ?? []).some((other) => rows[other][0]?.hidden === 1)
          const narrowed = all.filter(
            ({ id, hidden }) => isListed && !hidden && (ids === null || ids.includes(id)),
          )
          const filter = ids === null ? {} : { filter_ids: `${ids},` }
          for (const order of orders) {
            const chosen = Object.fromEntries(order)
            const walked = await walk({ path, params: { ...chosen, ...filter }, perPage }, narrowed.length)
            expect(walked).toEqual(ordered(narrowed, chosen))
          }
        },
      ),
      { numRuns: 40 },
    )
  })
}

const users: readonly Row[] = [1, 2, 3, 4].map((id) => ({ id }))

describe('a page', () => {
  test('has 25 rows by default, at most 50, and is never silently cut short', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => ({ id: at + 1, name: `s${at}` }))
    store.handle.run('delete from series')
    await fill(store, { series: rows })
    expect(idsOf(await json('/v1/series'))).toHaveLength(25)
    expect(idsOf(await json('/v1/series?per_page=50'))).toHaveLength(50)
    expect(idsOf(await json('/v1/series?per_page=1&page=60'))).toEqual([60])
    for (const per_page of ['51', '0', '100', '-1']) {
      expect((await get(`/v1/series?per_page=${per_page}`)).status).toBe(400)
    }
  })

  test('number may have up to fifteen digits', async () => {
    const body = await json('/v1/series?page=999999999999999&per_page=50')
    expect(body).toEqual({ series: [], total_count: 60, next_page: null, prev_page: 2 })
  })

  test("follows the API's arithmetic: of 8 rows, page 4 with two each contains the last two", async () => {
    store.handle.run('delete from series where id > 8')
    const body = await json('/v1/series?per_page=2&page=4')
    expect([idsOf(body), body.next_page, body.prev_page]).toEqual([[7, 8], null, 3])
  })
})
