import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Body, createInstance, idsOf, query } from '../support/instance'
import {
  actions,
  byLikes,
  type ListFilters,
  type WrittenList,
  type WrittenRow,
  writeRows,
  writtenLists,
  writtenRow,
} from '../support/written-lists'

const kiroku = await createInstance()
const { json, store } = kiroku
const { handle } = store
afterAll(kiroku.close)

interface Narrowed {
  readonly params: Readonly<Record<string, string>>
  readonly where: string
}

const narrowedBy = (filters: ListFilters, names: readonly string[]) =>
  fc
    .tuple(
      ...names.map((name) =>
        fc.constantFrom(...Object.entries(filters[name] ?? {})).map((one) => [name, one] as const),
      ),
    )
    .map(
      (chosen): Narrowed => ({
        params: Object.fromEntries(chosen.map(([name, [value]]) => [name, value])),
        where: ['true', ...chosen.map(([, [, condition]]) => condition)].join(' and '),
      }),
    )

function expectedIds({ table, shown = 'id', orders }: WrittenList, where: string, order: string): number[] {
  const sql = `select ${shown} as shown from ${table} where ${where} order by ${orders[order]}`
  return handle
    .query<{ shown: number }, []>(sql)
    .all()
    .map(({ shown }) => shown)
}

async function pageOf(
  path: string,
  params: Narrowed['params'],
  order: string,
  perPage: number,
  page: number,
) {
  const asked = query({ ...params, per_page: String(perPage), page: String(page), fields: 'id' })
  const body: Body = await json(`${path}${asked}${order === '' ? '' : `&${order}`}`)
  return [idsOf(body), body.total_count] as const
}

describe.each(Object.entries(writtenLists))('%s', (path, list) => {
  test('every page with any filters in any order equals plain SQL (D8, D14, D15)', async () => {
    const names = Object.keys(list.filters)
    const narrowing = fc.subarray(names).chain((some) => narrowedBy(list.filters, some))
    const asked = fc.record({
      narrowed: narrowing,
      order: fc.constantFrom(...Object.keys(list.orders)),
      perPage: fc.integer({ min: 1, max: 9 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(writtenRow, { maxLength: 60 }),
        fc.array(asked, { minLength: 8, maxLength: 8 }),
        async (rows, requests) => {
          handle.transaction(() => writeRows(handle, rows))()
          for (const { narrowed, order, perPage } of requests) {
            const ids = expectedIds(list, narrowed.where, order)
            for (let from = 0, page = 1; from <= ids.length; from += perPage, page++) {
              const found = await pageOf(path, narrowed.params, order, perPage, page)
              expect([narrowed, order, page, ...found]).toEqual([
                narrowed,
                order,
                page,
                ids.slice(from, from + perPage),
                ids.length,
              ])
            }
          }
        },
      ),
      { numRuns: 40 },
    )
  }, 60_000)

  test.each(
    Object.entries(list.filters).flatMap(([name, values]) =>
      Object.entries(values).map((one) => [name, ...one]),
    ),
  )(
    'with %s=%s: the first, middle and last page in every order',
    async (name = '', value = '', where = '') => {
      handle.transaction(() => writeRows(handle, manyRows))()
      for (const order of Object.keys(list.orders)) {
        const ids = expectedIds(list, where, order)
        const last = Math.max(1, Math.ceil(ids.length / 7))
        for (const page of [1, Math.ceil(last / 2), last]) {
          const found = await pageOf(path, { [name]: value }, order, 7, page)
          expect([order, page, ...found]).toEqual([
            order,
            page,
            ids.slice((page - 1) * 7, page * 7),
            ids.length,
          ])
        }
      }
    },
  )
})

const manyRows = Array.from(
  { length: 90 },
  (_, at): WrittenRow => ({
    user: at % 3 === 2 ? 4 : 1 + (at % 3),
    episode: [1, 2, 6][(at % 7) % 3] ?? 1,
    text: at % 5 === 0 ? 'c' : '',
    likes: at % 4 === 0 ? 1 + (at % 3) : 0,
    action: actions[at % 4] ?? 'create_status',
  }),
)

test.each([
  ['records', '', 'true'],
  ['records', 'filter_has_record_comment=false', "comment = ''"],
  ['records', 'filter_has_record_comment=true', "comment <> ''"],
  ['records', 'filter_username=mio', 'user_id = 1'],
  ['records', 'filter_work_id=1', 'work_id = 1'],
  ['records', 'filter_episode_id=1', 'episode_id = 1'],
  ['records', 'filter_username=mio&filter_has_record_comment=false', "user_id = 1 and comment = ''"],
  ['reviews', '', 'true'],
  ['reviews', 'filter_has_review_body=true', "body <> ''"],
  ['reviews', 'filter_work_id=1', 'work_id = 1'],
] as const)(
  '%s with %p: every page of 1, 2, 3 and 5 rows is right, also where the first like is (D14)',
  async (table, filters, where) => {
    const params = Object.fromEntries(new URLSearchParams(filters))
    handle.transaction(() => writeRows(handle, manyRows))()
    for (const order of ['sort_likes_count=asc', 'sort_likes_count=desc']) {
      const ids = expectedIds({ table, orders: byLikes, filters: {} }, where, order)
      for (const perPage of [1, 2, 3, 5]) {
        for (let page = 1; page <= Math.ceil(ids.length / perPage); page++) {
          const found = await pageOf(`/v1/${table}`, params, order, perPage, page)
          const from = (page - 1) * perPage
          expect([order, page, ...found]).toEqual([order, page, ids.slice(from, from + perPage), ids.length])
        }
      }
    }
  },
)
