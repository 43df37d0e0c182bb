import type { Read } from '../db/open'
import { forwards, type PageQueries, pageQueries, type RowTotals, type RowWalk } from './page-query'
import type { PagedList, ShownTable } from './paged-list'
import { changed, type PageFinder, type PageRange, pageOf, type QueryPlan } from './query-plan'
import { rowidsFilterOf } from './row-source'

/** How a list finds its pages, unless it says otherwise (`Rows.finder`). */
export function pageFinder<T extends ShownTable>(list: PagedList<T>): PageFinder {
  const queries = pageQueries(list)
  return foundRows(list, {
    find: (plan, page, read) =>
      isNarrowed(list, plan)
        ? narrowedRows(queries, plan, page, read)
        : countedRows(list, queries, plan, page, read),
  })
}

/** Looks up ids by a filter's `find`: pages them in that order, or has the next finder sort or narrow them. */
const foundRows = <T extends ShownTable>({ filters }: PagedList<T>, next: PageFinder): PageFinder => ({
  find: async (plan, page, read) => {
    const asked = plan.shape.filters
    const name = asked.find((filter) => filters[filter]?.find)
    if (name === undefined) return await next.find(plan, page, read)
    const ids = (await filters[name]?.find?.(plan.query[name], read, plan.isRanked)) ?? []
    if (asked.length === 1 && plan.isRanked) return pageOf(ids, page)
    const bound = { ...plan, values: { ...plan.values, [`${name}.ids`]: JSON.stringify(ids) } }
    if (!plan.isRanked) return await next.find(bound, page, read)
    const left = new Set((await next.find(bound, { offset: 0, limit: ids.length }, read)).ids)
    return pageOf(
      ids.filter((id) => left.has(id)),
      page,
    )
  },
})

/** Whether filters narrow rows found by id: finding them then takes longer than returning all that are left. */
function isNarrowed<T extends ShownTable>(list: PagedList<T>, { shape: { filters } }: QueryPlan): boolean {
  const finding = rowidsFilterOf(list, filters)
  if (finding === undefined) return list.rows.rowids !== undefined && filters.length > 0
  return filters.length > 1
}

async function narrowedRows(queries: PageQueries, plan: QueryPlan, page: PageRange, read: Read) {
  return pageOf(await queries.ids(plan, forwards, { offset: 0, limit: everything }, read), page)
}

/** `limit` without a limit in SQLite. */
const everything = -1

/** Counts the rows and walks to the page. */
async function countedRows<T extends ShownTable>(
  list: PagedList<T>,
  queries: PageQueries,
  asked: QueryPlan,
  page: PageRange,
  read: Read,
) {
  const totals = await queries.count(asked, read)
  if (isFarById(list, asked, page, totals))
    return { ids: await fromLandmark(queries, asked, page, totals.total, read), total: totals.total }
  const plan = fasterPlan(list, asked, page, totals)
  const ids: number[] = []
  let before = 0
  for (const { over, rows } of spansOf(plan, totals)) {
    const offset = Math.max(page.offset - before, 0)
    const limit = Math.min(page.offset + page.limit - before, rows) - offset
    if (limit > 0) ids.push(...(await fromNearerEnd(queries, plan, { over, rows }, { offset, limit }, read)))
    before += rows
  }
  return { ids, total: totals.total }
}

function fasterPlan<T extends ShownTable>(
  list: PagedList<T>,
  plan: QueryPlan,
  { offset }: PageRange,
  { total }: RowTotals,
): QueryPlan {
  const { parts } = plan.shape
  if (parts.length > 1 && Math.min(offset, total - offset) > mostMerged)
    return changed(plan, { parts: [parts.join()] })
  return total > mostSorted && isSortIndexed(list, plan) ? changed(plan, { isWalked: true }) : plan
}

/** Up to this many rows of several parts are merged, at some 80 ns each; beyond that, testing all rows is as fast. */
const mostMerged = 250_000

/** Up to this many found ids are sorted, at some 0.5 µs each; beyond that, walking an index is as fast. */
const mostSorted = 2000

/** Whether the list has an index in sort order, but a filter would make SQLite sort its ids instead. */
function isSortIndexed<T extends ShownTable>(list: PagedList<T>, { shape }: QueryPlan): boolean {
  if (list.rows.rowids !== undefined || shape.sorts[0].column === 'id') return false
  const name = rowidsFilterOf(list, shape.filters)
  return name !== undefined && list.filters[name]?.find === undefined
}

/** Whether the page is far from both ends of a list that is in order of ids and not filtered. */
function isFarById<T extends ShownTable>(
  { rows }: PagedList<T>,
  { shape: { filters, sorts } }: QueryPlan,
  { offset, limit }: PageRange,
  { total }: RowTotals,
): boolean {
  const isById = filters.length === 0 && sorts[0].column === 'id' && rows.rowids === undefined
  return isById && Math.min(offset, total - offset - limit) > farRows
}

/** Passing so many entries of an index takes 2 µs. */
const farRows = 300

async function fromLandmark(
  queries: PageQueries,
  plan: QueryPlan,
  page: PageRange,
  rows: number,
  read: Read,
): Promise<readonly number[]> {
  const landmarks = await queries.landmarks(plan, rows, read)
  const mark = landmarks.upTo(page.offset)
  const distance = page.offset - (mark?.offset ?? 0)
  const isNearest = mark !== undefined && distance < rows - page.offset
  const ids = isNearest
    ? await queries.ids(plan, { ...forwards, from: mark.id }, { ...page, offset: distance }, read)
    : await fromNearerEnd(queries, plan, { over: 'all', rows }, page, read)
  const [id] = ids
  if (id !== undefined) landmarks.add({ offset: page.offset, id })
  return ids
}

interface RowSpan {
  readonly over: RowWalk['over']
  readonly rows: number
}

/** Sorted by a column in which most rows have the least value, such as likes, only the others are sorted by it. */
function spansOf({ shape: { sorts } }: QueryPlan, { total, above }: RowTotals): readonly RowSpan[] {
  const [{ least, direction }] = sorts
  if (least === undefined) return [{ over: 'all', rows: total }]
  const ascending: RowSpan[] = [
    { over: 'least', rows: total - above },
    { over: 'above', rows: above },
  ]
  return direction === 'asc' ? ascending : ascending.toReversed()
}

/** `page` lies within the rows. */
async function fromNearerEnd(
  queries: PageQueries,
  plan: QueryPlan,
  { over, rows }: RowSpan,
  { offset, limit }: PageRange,
  read: Read,
): Promise<readonly number[]> {
  const after = rows - offset - limit
  if (offset <= after) return await queries.ids(plan, { over, isBackwards: false }, { offset, limit }, read)
  const backwards = await queries.ids(plan, { over, isBackwards: true }, { offset: after, limit }, read)
  return backwards.toReversed()
}
