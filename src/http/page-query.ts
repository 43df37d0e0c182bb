import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Read } from '../db/open'
import { type Bindable, prepared, type SlotOf } from '../db/prepared'
import type { Call } from './endpoint'
import type { Selection } from './fields'
import { type Item, wantsPart } from './item'
import type { Param } from './params'
import { type Cell, versionOf } from './parts'

// One of the generic helpers: the table is only known at run time, and Kysely's types cannot follow that.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyBuilder = any
type Values = Record<string, Bindable>
type Slots = SlotOf<Values>

/** A list whose table is only known at run time. */
export interface AnyList {
  readonly item: Item
  readonly rows: {
    where?(eb: unknown, viewer: RawBuilder<unknown>): Expression<SqlBool>
    total?: string
    counted?(viewer: RawBuilder<unknown>): RawBuilder<number>
    find?(
      asked: Asked,
      stretch: { direction: 'asc' | 'desc'; offset: number; limit: number },
      call: Call,
    ): Promise<{ ids: readonly number[]; total: number }>
    ranks?(asked: Asked, filters: readonly string[]): readonly string[] | undefined
  }
  readonly filters: Record<
    string,
    {
      param: Param<unknown>
      bind(value: unknown): Values
      counted?(slot: Slots): RawBuilder<number>
      variant?(value: unknown): string
      where(eb: unknown, slot: Slots, variant: string | undefined): Expression<SqlBool>
    }
  >
  readonly sorts: Record<string, { column: string; nullsLast?: true }>
  readonly sortedBy?: string
}

/** A row of a page: what to show, at which version, and what stands beside it. */
export type PageRow = Readonly<Record<string, Cell>> & {
  id: number
  version: number
  total: number
}

export type Asked = Readonly<Record<string, unknown>>

/** Runs the queries of a list; each is compiled once per shape. */
export function pageQueries(list: AnyList) {
  const compiled = new Map<string, ReturnType<typeof queriesOf>>()
  return (shape: Shape) => {
    const key = JSON.stringify(shape)
    const queries = compiled.get(key) ?? queriesOf(list, shape)
    compiled.set(key, queries)
    return queries
  }
}

/** What the SQL depends on: which filters and sorts are asked, and which parts are wanted. Never the client's own text. */
export interface Shape {
  readonly filters: readonly string[]
  /** Which form of its condition a filter's value needs, by filter; nothing for filters that have one. */
  readonly variants: Readonly<Record<string, string>>
  readonly sorts: readonly (readonly [name: string, direction: string])[]
  readonly parts: readonly string[]
  /** Whether rows are passed over or sorted as ids, before any row is read. */
  readonly far: boolean
  /** Whether `ranks` counts these rows. */
  readonly ranked: boolean
  /** From where on rows are read, when not from the first. */
  readonly from?: Stretch
}

/** Rows from an id up or below an id; of one key, from an id up; of the keys after one; of given ids. */
export type Stretch = 'up' | 'down' | 'key' | 'keys after' | 'these'

export const shapeOf = (
  { filters, sorts, item }: AnyList,
  asked: Asked,
  selection: Selection | undefined,
): Shape => ({
  filters: Object.keys(filters).filter((name) => asked[name] !== undefined),
  variants: Object.fromEntries(
    Object.entries(filters).flatMap(([name, { variant }]) =>
      variant === undefined || asked[name] === undefined ? [] : [[name, variant(asked[name])]],
    ),
  ),
  sorts: Object.keys(sorts).flatMap((name) =>
    asked[name] === undefined ? [] : [[name, String(asked[name])] as const],
  ),
  parts: wantedParts(item, selection),
  ranked: false,
  far: false,
})

/** The values of a shape's slots; each filter's names are its own. */
export function valuesOf({ filters }: AnyList, shape: Shape, asked: Asked): Values {
  const values: Values = {}
  for (const name of shape.filters) {
    const bound = filters[name]?.bind(asked[name]) ?? {}
    for (const part of Object.keys(bound)) values[`${name}.${part}`] = bound[part] ?? null
  }
  return values
}

function queriesOf(list: AnyList, shape: Shape) {
  const find = prepared<PageRow, Values>((read, slot) =>
    pageRows(list, shape, read, slot).select((eb: AnyBuilder) => [
      ...itemColumns(list.item, shape.parts, eb, slot('viewer')),
      totalOf(list, shape, read, slot).as('total'),
    ]),
  )
  const count = prepared<{ total: number }, Values>((read, slot) =>
    (read as AnyBuilder).selectNoFrom(totalOf(list, shape, read, slot).as('total')),
  )
  return { find, count }
}

/** The rows of a page. Rows far from the first are passed over as ids, in an index, before any row is read. */
function pageRows(list: AnyList, shape: Shape, read: Read, slot: Slots): AnyBuilder {
  const id = `${list.item.table}.id`
  const rows = sorted(narrowed(list, shape, read, slot), list, shape)
    .where((eb: AnyBuilder) => stretch(list, shape, eb, slot))
    .limit(slot('limit'))
    .offset(slot('offset'))
  if (!shape.far) return rows
  return sorted(
    (read as AnyBuilder).selectFrom(list.item.table).where(id, 'in', rows.select(id)),
    list,
    shape,
  )
}

function stretch(
  { item, sorts }: AnyList,
  { sorts: asked, from }: Shape,
  eb: AnyBuilder,
  slot: Slots,
): AnyBuilder {
  const id = `${item.table}.id`
  const [name = '', direction] = asked[0] ?? []
  const key = `${item.table}.${sorts[name]?.column}`
  switch (from) {
    case 'up':
      return eb(id, '>=', slot('from'))
    case 'down':
      return eb(id, '<', slot('before'))
    case 'key':
      return eb.and([eb(key, '=', slot('key')), eb(id, '>=', slot('from'))])
    case 'keys after':
      return eb(key, direction === 'asc' ? '>' : '<', slot('key'))
    case 'these':
      return eb(id, 'in', sql`(select value from json_each(${slot('ids')}))`)
    default:
      return eb.lit(true)
  }
}

function narrowed({ item, rows, filters }: AnyList, shape: Shape, read: Read, slot: Slots): AnyBuilder {
  let query = (read as AnyBuilder).selectFrom(item.table)
  if (rows.where) query = query.where((eb: unknown) => rows.where?.(eb, slot('viewer')))
  for (const name of shape.filters) {
    const variant = shape.variants[name]
    query = query.where((eb: unknown) => filters[name]?.where(eb, ownSlots(name, slot), variant))
  }
  return query
}

/** How many rows there are: from a kept number where there is one, else counted. */
function totalOf(list: AnyList, shape: Shape, read: Read, slot: Slots): AnyBuilder {
  if (shape.from === 'these') return sql.lit(0)
  if (shape.ranked) return rankedTotal(slot)
  const { total, counted } = list.rows
  const [name, ...more] = shape.filters.filter((name) => list.filters[name]?.param.otherwise === undefined)
  if (name === undefined && counted) return counted(slot('viewer'))
  if (name === undefined && total !== undefined) {
    return (read as AnyBuilder).selectFrom('totals').select('n').where('name', '=', total)
  }
  const alone = name !== undefined && more.length === 0 ? list.filters[name]?.counted : undefined
  // A filter knows how many of all rows it leaves, not how many of the caller's own.
  if (alone && (list.rows.total !== undefined || !list.rows.where)) return alone(ownSlots(name ?? '', slot))
  return narrowed(list, shape, read, slot).select((eb: AnyBuilder) => eb.fn.countAll().as('n'))
}

const rankedTotal = (slot: Slots) => sql<number>`(
  select ifnull(sum(n), 0) from ranks
  where list in (select value from json_each(${slot('lists')})) and key = 0 and block = -1)`

/** A filter's slots, under its own name; the caller's id is everybody's. */
const ownSlots =
  (name: string, slot: Slots): Slots =>
  (part) =>
    slot(part === 'viewer' ? part : `${name}.${part}`)

/** Every order ends in the id (D14). */
function sorted(query: AnyBuilder, { item, sorts, sortedBy }: AnyList, shape: Shape): AnyBuilder {
  const { table } = item
  let ordered = query
  for (const [name, direction] of shape.sorts) {
    ordered = ordered.orderBy(`${table}.${sorts[name]?.column}`, (order: AnyBuilder) => {
      const directed = direction === 'asc' ? order.asc() : order.desc()
      return sorts[name]?.nullsLast ? directed.nullsLast() : directed
    })
  }
  if (shape.sorts.some(([name]) => sorts[name]?.column === 'id')) return ordered
  if (shape.sorts.length === 0 && sortedBy) ordered = ordered.orderBy(`${table}.${sortedBy}`)
  return ordered.orderBy(`${table}.id`)
}

/** The id and version of the item's own row, and what its wanted parts need. */
export function itemColumns(
  { table, own, resource, parts }: Item,
  wanted: readonly string[],
  eb: AnyBuilder,
  viewer: AnyBuilder,
): AnyBuilder[] {
  const beside = wanted.flatMap((name) => parts[name]?.columns(eb, name, viewer) ?? [])
  if (own === undefined) return [`${table}.id`, `${table}.version`, ...beside]
  const id = own(eb)
  return [sql`${id}`.as('id'), versionOf(resource, id).as('version'), ...beside]
}

/** The parts a selection wants. */
export const wantedParts = ({ parts }: Item, selection: Selection | undefined) =>
  Object.keys(parts).filter((name) => wantsPart(selection, name))
