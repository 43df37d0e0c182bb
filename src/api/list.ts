import { arrayOf, type Bytes, bytesOf, joined } from '../http/bytes'
import { jsonHeaders } from '../http/errors'
import { countedBlocks } from '../paging/counted-blocks'
import { foundRows } from '../paging/found-rows'
import { itemRows } from '../paging/item-rows'
import { pageQueries } from '../paging/page-query'
import { planOf } from '../paging/plan-of'
import type { ListQuery, PageFinder } from '../paging/query-plan'
import { walkIndex } from '../paging/walk-index'
import { oneOf } from '../values/text'
import { type Assembled, assemble } from './assemble'
import { Body } from './body'
import type { Call, Endpoint } from './endpoint'
import { fieldsParam, parseFields, type Selection, selectJson } from './fields'
import { itemSchema, nestedNames } from './item'
import type { ListDeclaration } from './list-declaration'
import { envelope, pageOf, pagingFields, pagingParams, rangeOf } from './paging'
import { type Params, param, readParams } from './params'
import type { ShownTable } from './resource'

/**
 * Declares `GET path`, a list (D14, D15): one query counts, one finds the ids of the page and one what is shown of them;
 * rows not rendered before are fetched by one more query per kind of object, whatever the page's size.
 */
export function defineList<T extends ShownTable>(list: ListDeclaration<T>): Endpoint {
  const { path, tag, summary, description } = list
  const params = { fields: fieldsParam, ...paramsOf(list), ...pagingParams }
  const schema = envelope(list.key, itemSchema(list.item))
  const bytesOfPage = pageReader(list)
  return {
    method: 'GET',
    path,
    scope: 'read',
    operation: {
      tag,
      summary,
      ...(description && { description }),
      params,
      errors: [],
      answer: { status: 200, schema, description: 'A page of the list' },
    },
    answer: async (call) => {
      const query = readParams(params, call.sent, call.deps.now())
      return await keptOr(() => bytesOfPage(query, call), cacheKey(path, query, call), call)
    },
  }
}

async function keptOr(make: () => Promise<Bytes>, key: string, { bodies, version }: Call): Promise<Response> {
  const kept = bodies.get(key, version)
  if (kept) return new Response(kept.shared, { headers })
  const bytes = await make()
  bodies.set(key, version, new Body(bytes))
  return new Response(bytes, { headers })
}

/** What every list is asked. */
type PageQuery = ListQuery & {
  readonly fields: string | undefined
  readonly page: number
  readonly per_page: number
}

const direction = oneOf(['asc', 'desc'])

/** The parameters of a list's filters and sorts. */
const paramsOf = <T extends ShownTable>({ filters, sorts }: ListDeclaration<T>): Params => ({
  ...Object.fromEntries(Object.entries(filters).map(([name, { param }]) => [name, param])),
  ...Object.fromEntries(
    Object.entries(sorts).map(([name, { what }]) => [name, param(direction, `Sorts by ${what}`, 'asc')]),
  ),
})

/** Under what an answer is kept: everything it depends on besides the database. Under `/me` that is the caller too. */
const cacheKey = (path: string, query: ListQuery, { viewer }: Call) =>
  `${path} ${path.startsWith('/v1/me/') ? viewer.userId : ''} ${JSON.stringify(query)}`

/** Made once: a response takes them over faster than it reads an object. */
const headers = new Headers(jsonHeaders)

/** Finds a page and puts its answer together. */
function pageReader<T extends ShownTable>(list: ListDeclaration<T>) {
  const finder = list.rows.finder ?? finderOf(list)
  const readRows = itemRows(list.item)
  return async (query: PageQuery, { deps: { read }, renderer, viewer }: Call): Promise<Bytes> => {
    const page = pageOf(query)
    const selection = query.fields === undefined ? undefined : parseFields(query.fields)
    const { ids, total } = await finder.find(planOf(list, query, viewer.userId), rangeOf(page), read)
    const names = nestedNames(list.item, selection)
    const rows = await readRows(read, ids, names, viewer.userId)
    const items = await assemble(list.item, rows, names, renderer)
    const shown = items.filter((pieces) => pieces !== undefined)
    return bodyOf(list.key, shown, selection, pagingFields(page, total))
  }
}

function finderOf<T extends ShownTable>(list: ListDeclaration<T>): PageFinder {
  const queries = pageQueries(list)
  const walk = walkIndex(queries)
  const isCounted = list.rows.countedIn ?? Object.values(list.filters).some(({ countedBy }) => countedBy)
  return foundRows(list, isCounted ? countedBlocks(list, queries, walk) : walk)
}

function bodyOf(
  key: string,
  items: readonly Assembled[],
  selection: Selection | undefined,
  paging: object,
): Bytes {
  const array = arrayOf(items)
  const shown = selection === undefined ? array : [selectJson(joined(array), selection)]
  return joined([bytesOf(`{"${key}":`), ...shown, bytesOf(`,${JSON.stringify(paging).slice(1)}`)])
}
