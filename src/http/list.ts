import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Bindable, SlotOf } from '../db/prepared'
import type { DB } from '../db/schema'
import { type Assembled, assemble } from './assemble'
import { Body } from './body'
import { arrayOf, type Bytes, bytesOf, joined } from './bytes'
import type { Call, Endpoint } from './endpoint'
import { jsonHeaders } from './errors'
import { fieldsParam, parseFields, type Selection, selectJson } from './fields'
import { pageFinder } from './find-page'
import { type Item, itemSchema } from './item'
import { envelope, pageOf, pagingFields, pagingParams } from './paging'
import { direction, type Param, type Params, readParams } from './params'
import type { ShownTable } from './resource'
import { type AnyList, type Form, type Ranked, wantedParts } from './shape'

/**
 * The rows of `marks` (0011_marks.sql), and `viewer` for the version of the caller's own row. Naming a mark promises that
 * a trigger raises it for every column that is read: what is found is kept for as long as the mark stays.
 */
export type Mark = 'works' | 'watchers' | 'viewer'

/** A request parameter that narrows a list by an SQL condition. */
export interface Filter<T extends ShownTable> {
  readonly param: Param<unknown>
  /** What of the parameter's value the condition binds, by name. */
  bind(value: unknown): Readonly<Record<string, Bindable>>
  /** How many rows it leaves where nothing else narrows the list; counted when not given. */
  counted?(slot: SlotOf<Record<string, Bindable>>): RawBuilder<number>
  /** How many of the caller's own rows it leaves, in the list of those. */
  ownCounted?(slot: SlotOf<Record<string, Bindable>>): RawBuilder<number>
  /** The rows it leaves, as a table or a table function whose `rowid` is their id and is read in order. */
  rowids?(slot: SlotOf<Record<string, Bindable>>): RawBuilder<unknown>
  /** The mark that grows whenever it may leave other rows, in a list found by sets; it is asked anew each time without. */
  readonly changes?: Mark
  /** Where `row_counts` counts the rows it leaves, in all and in stretches. */
  readonly ranked?: Ranked
  /** How many conditions a value is when it alone narrows the list: each read in order from an index, and merged. */
  branches?(value: unknown): number
  /** The condition, with the caller's id in the slot `viewer`. Nothing of the value but the form is in it, so that it compiles once. */
  where(eb: ExpressionBuilder<DB, T>, slot: SlotOf<Record<string, Bindable>>, form: Form): Expression<SqlBool>
}

/** A request parameter that sorts a list: what it sorts by, for the documentation and for SQL. */
export interface Sort<T extends ShownTable> {
  readonly what: string
  readonly column: keyof DB[T] & string
  /** Rows without a value come last in both directions. */
  readonly nullsLast?: true
  /** The value that most rows have, and none is below: the index of one filter's rows by this column leaves it out. */
  readonly least?: number
  /** The mark that grows whenever the order changes, in a list found by sets; it is asked anew each time without. */
  readonly changes?: Mark
}

/** Which ids are asked of a list that finds its own. */
export interface IdStretch {
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

export interface FoundIds {
  readonly ids: readonly number[]
  readonly total: number
}

/** The tables whose shown rows `row_counts` counts (db/facts/row-counts.ts). */
export type TotalName =
  | 'series'
  | 'works'
  | 'episodes'
  | 'characters'
  | 'people'
  | 'organizations'
  | 'casts'
  | 'staffs'
  | 'programs'
  | 'users'

/** Which rows a list shows at all, and the list of `row_counts` that knows how many those are. */
export interface Rows<T extends ShownTable> {
  where?(eb: ExpressionBuilder<DB, T>, viewer: RawBuilder<number>): Expression<SqlBool>
  readonly total?: TotalName
  /** Pages are found by sets of ids that are kept while this mark of the table stays: for tables of some 10,000 rows. */
  readonly sets?: Mark
  /** The mark that grows whenever which rows there are changes; `viewer` for what is the caller's own. */
  readonly changes?: Mark
  /** The same for the caller's own rows. */
  counted?(viewer: RawBuilder<number>): RawBuilder<number>
  /** The rows, as a table whose `rowid` is their id. */
  rowids?(viewer: RawBuilder<number>): RawBuilder<unknown>
  /** Finds a page's ids itself, in order, and the total. */
  find?(asked: Readonly<Record<string, unknown>>, stretch: IdStretch, call: Call): Promise<FoundIds>
  /** Which lists of `row_counts` count the rows that these filters leave; undefined where none does. */
  ranks?(asked: Readonly<Record<string, unknown>>, filters: readonly string[]): readonly string[] | undefined
}

/**
 * Declares `GET path`, a list (D14, D15): one query gives the ids, versions and total of the page; rows not rendered
 * before are fetched by one more query per kind of object, whatever the page's size.
 * `sorts` are declared in their order of precedence; ties are sorted by id.
 */
export function defineList<T extends ShownTable>(list: {
  path: string
  tag: string
  summary: string
  description?: string
  /** The array's name in the envelope. */
  key: string
  item: Item<T>
  rows: Rows<NoInfer<T>>
  filters: Readonly<Record<string, Filter<NoInfer<T>>>>
  sorts: Readonly<Record<string, Sort<NoInfer<T>>>>
  /** What rows are sorted by before the id where no sort is asked. */
  sortedBy?: keyof DB[NoInfer<T>] & string
}): Endpoint {
  const { path, key, filters, sorts, tag, summary, description } = list
  const said = { tag, summary, ...(description && { description }) }
  const any = list as unknown as AnyList
  const findPage = pageFinder(any)
  const params = { fields: fieldsParam, ...paramsOf(filters, sorts), ...pagingParams }
  const schema = envelope(key, itemSchema(any.item))
  const find = async (asked: Asked, call: Call) => {
    const page = pageOf(asked)
    const selection = asked.fields === undefined ? undefined : parseFields(asked.fields)
    const found = await findPage(asked, page, selection, call)
    const parts = wantedParts(any.item, selection)
    const items = await assemble(any.item, found.rows, parts, call.renderer)
    const shown = items.filter((pieces) => pieces !== undefined)
    return bodyOf(key, shown, selection, pagingFields(page, found.total))
  }
  return {
    method: 'GET',
    path,
    scope: 'read',
    operation: {
      ...said,
      params,
      errors: [],
      answer: { status: 200, schema, description: 'A page of the list' },
    },
    answer: async (call) => {
      const asked = readParams(params, call.sent, call.deps.now())
      const kept = keyOf(path, asked, call)
      const again = call.bodies.get(kept, call.version)
      if (again) return new Response(again.shared, { headers })
      const bytes = await find(asked, call)
      call.bodies.set(kept, call.version, new Body(bytes))
      return new Response(bytes, { headers })
    },
  }
}

/** Declares a filter: what to bind of the value, and the condition with slots for that. */
export function filter<T extends ShownTable, V, B extends Record<string, Bindable>>(
  param: Param<V>,
  bind: (value: V) => B,
  where: (
    eb: ExpressionBuilder<DB, T>,
    slot: SlotOf<B & { viewer: number }>,
    form: Form,
  ) => Expression<SqlBool>,
  counted?: (slot: SlotOf<B & { viewer: number }>) => RawBuilder<number>,
): Filter<T> {
  return {
    param,
    bind: (value) => bind(value as V),
    where: (eb, slot, form) => where(eb, slot as never, form),
    ...(counted && { counted: (slot) => counted(slot as never) }),
  }
}

/** The same filter, whose rows `row_counts` counts under a key of a list. */
export const rankedBy = <T extends ShownTable>(
  list: string,
  key: Ranked['key'],
  declared: Filter<T>,
): Filter<T> => ({ ...declared, ranked: { list, key } })

/**
 * Rows whose id is in a list: one bound value, however long the list is. `idsOf` is the subquery of the ids that are meant,
 * from the JSON array that was sent.
 */
export const idsFilter = <T extends ShownTable>(
  param: Param<readonly number[]>,
  column: RawBuilder<number>,
  idsOf: (json: RawBuilder<string>) => RawBuilder<number> = idsAsSent,
): Filter<T> =>
  filter(
    param,
    (ids) => ({ ids: JSON.stringify(ids) }),
    (_, slot) => sql`${column} in ${idsOf(slot('ids'))}`,
  )

const idsAsSent = (json: RawBuilder<string>) => sql<number>`(select value from json_each(${json}))`

const paramsOf = <T extends ShownTable>(
  filters: Readonly<Record<string, Filter<T>>>,
  sorts: Readonly<Record<string, Sort<T>>>,
): Params => ({
  ...Object.fromEntries(Object.entries(filters).map(([name, { param }]) => [name, param])),
  ...Object.fromEntries(Object.entries(sorts).map(([name, { what }]) => [name, direction(what)])),
})

interface Asked {
  readonly [name: string]: unknown
  readonly fields: string | undefined
  readonly page: number
  readonly per_page: number
}

/** Under what an answer is kept: everything it depends on besides the database. Under `/me` that is the caller too. */
const keyOf = (path: string, asked: Asked, { viewer }: Call) =>
  `${path} ${path.startsWith('/v1/me/') ? viewer.userId : ''} ${JSON.stringify(asked)}`

/** Made once: a response takes them over faster than it reads an object. */
const headers = new Headers(jsonHeaders)

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
