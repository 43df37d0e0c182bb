import { guardedTables } from '../../db/facts/withheld'
import type { Read } from '../db/open'
import { bodyFor } from '../http/answers-in-flight'
import { arrayOf, type Bytes, bytesOf, joined } from '../http/bytes'
import { invalidParams, jsonHeaders } from '../http/errors'
import { once } from '../lib/once'
import { pageFinder } from '../paging/page-finder'
import type { ShownTable } from '../paging/paged-list'
import { isShared, planOf } from '../paging/plan-of'
import type { ListQuery } from '../paging/query-plan'
import { oneOf } from '../values/text'
import { type Assembled, assemble, labelledFields } from './assemble'
import { CachedBody } from './body'
import type { ApiCall, Endpoint } from './endpoint'
import { fieldsParam, parseFields, type Selection, selectJson } from './fields'
import { itemSchema, nestedNames } from './item'
import { itemRows } from './item-rows'
import type { ListDeclaration } from './list-declaration'
import { envelope, pageOf, pagingFields, pagingParams, rangeOf } from './paging'
import { type Params, param, readParams } from './params'

/** Declares a list (D14, D15): one query each for count, ids and rows, and one per resource for what is not cached. */
export function defineList<T extends ShownTable>(list: ListDeclaration<T>): Endpoint {
  const { path, tag, summary, description } = list
  const params = { fields: fieldsParam, ...paramsOf(list), ...pagingParams }
  const bytesOfPage = once(() => pageReader(list))
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
      answer: {
        status: 200,
        get schema() {
          return envelope(list.key, itemSchema(list.item))
        },
        description: 'A page of the list',
      },
    },
    answer: async (call) => {
      const query = readParams(params, call.sent, call.deps.now())
      checkAlternatives(params, query)
      return await cachedOr((read) => bytesOfPage()(query, call, read), lookOf(list, query, call), call)
    },
  }
}

/** Of filters that exclude each other, one is required. */
function checkAlternatives(params: Params, query: ListQuery): void {
  const names = Object.keys(params).filter((name) => params[name]?.isAlternative)
  if (names.length > 0 && names.filter((name) => query[name] !== undefined).length !== 1)
    throw invalidParams(`Exactly one of ${names.join(', ')} is required.`)
}

/** What an answer depends on besides the database. */
interface ListLook {
  readonly key: string
  readonly sight: 'shared' | 'seen'
  /** 0 if it is the same for everybody. */
  readonly viewer: number
}

/**
 * Lists of several people's rows are the same for everybody without a block, those that name a person or are the caller's own
 * are not (D73, D78).
 */
function lookOf<T extends ShownTable>(
  list: ListDeclaration<T>,
  query: ListQuery,
  { viewer }: ApiCall,
): ListLook {
  const isPersonal =
    isOwn(list.path) || (guardedTables.includes(list.item.table) && !isShared(pagedOf(list), query))
  const isApart = viewer.hasBlock && !isPersonal
  const id = isPersonal || isApart ? viewer.userId : 0
  return {
    key: `${list.path} ${id} ${JSON.stringify(query)}`,
    sight: isPersonal ? 'seen' : 'shared',
    viewer: id,
  }
}

async function cachedOr(
  make: (read: Read) => Promise<Bytes>,
  { key, sight, viewer }: ListLook,
  call: ApiCall,
): Promise<Response> {
  const { deps, bodies, at } = call
  const cached = bodies.get(key)
  call.remember?.(key)
  if (cached) return new Response(cached.shared, { headers })
  const { read, tables } = deps.trackedRead(sight, viewer)
  const bytes = await make(read)
  bodies.set(key, { at, tables: tables() }, new CachedBody(bytes))
  return new Response(bodyFor(`token ${call.viewer.tokenId}`, bytes), { headers })
}

type PageQuery = ListQuery & {
  readonly fields: string | undefined
  readonly page: number
  readonly per_page: number
}

const direction = oneOf(['asc', 'desc'])

const paramsOf = <T extends ShownTable>({ filters, sorts }: ListDeclaration<T>): Params => ({
  ...Object.fromEntries(Object.entries(filters).map(([name, { param }]) => [name, param])),
  ...Object.fromEntries(
    Object.entries(sorts).map(([name, { what }]) => [name, param(direction, `Sorts by ${what}`, 'asc')]),
  ),
})

const isOwn = (path: string) => path.startsWith('/v1/me/')

const pagedOf = <T extends ShownTable>(list: ListDeclaration<T>) => ({
  ...list,
  table: list.item.table,
  isOwn: isOwn(list.path),
})

/** Made once: a response copies `Headers` faster than a plain object. */
const headers = new Headers(jsonHeaders)

function pageReader<T extends ShownTable>(list: ListDeclaration<T>) {
  const paged = pagedOf(list)
  const finder = list.rows.finder ?? pageFinder(paged)
  const readRows = itemRows(list.item)
  return async (query: PageQuery, { renderer, viewer }: ApiCall, read: Read): Promise<Bytes> => {
    const page = pageOf(query)
    const selection = query.fields === undefined ? undefined : parseFields(query.fields)
    const { ids, total } = await finder.find(planOf(paged, query, viewer.userId), rangeOf(page), read)
    const names = nestedNames(list.item, selection)
    const rows = await readRows(read, ids, names, viewer.userId)
    const items = await assemble(list.item, rows, labelledFields(list.item, names), renderer)
    const found = items.filter((pieces) => pieces !== undefined)
    return bodyOf(list.key, found, selection, pagingFields(page, total))
  }
}

function bodyOf(
  key: string,
  items: readonly Assembled[],
  selection: Selection | undefined,
  paging: object,
): Bytes {
  const array = arrayOf(items)
  const selected = selection === undefined ? array : [selectJson(joined(array), selection)]
  return joined([bytesOf(`{"${key}":`), ...selected, bytesOf(`,${JSON.stringify(paging).slice(1)}`)])
}
