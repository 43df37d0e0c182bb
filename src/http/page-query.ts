import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Read } from '../db/open'
import { type Bindable, prepared, type SlotOf } from '../db/prepared'
import type { Call } from './endpoint'
import type { Selection } from './fields'
import { type Item, wantsPart } from './item'
import type { Page } from './paging'

// One of the generic helpers: the table is only known at run time, and Kysely's types cannot follow that.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyBuilder = any
type Values = Record<string, Bindable>
type Slots = SlotOf<Values>

/** A list whose table is only known at run time. */
export interface AnyList {
  readonly item: Item
  readonly rows: { where?(eb: unknown, viewer: RawBuilder<unknown>): Expression<SqlBool>; total?: string }
  readonly filters: Record<
    string,
    {
      bind(value: unknown): Values
      counted?(slot: Slots): RawBuilder<number>
      where(eb: unknown, slot: Slots): Expression<SqlBool>
    }
  >
  readonly sorts: Record<string, { column: string; nullsLast?: true }>
}

/** A row of a page: what to show, at which version, and what stands beside it. */
export type PageRow = Readonly<Record<string, number | string | null>> & {
  id: number
  version: number
  total: number
}

type Asked = Readonly<Record<string, unknown>>
type Found = Promise<{ rows: readonly PageRow[]; total: number }>

/**
 * Finds the rows of a page and the total of all pages, in one query; in two where the page has no rows. A query is
 * compiled once per combination of parameters, whatever their values.
 */
export function pageFinder(list: AnyList) {
  const queries = new Map<string, ReturnType<typeof pageQueries>>()
  return async (
    asked: Asked,
    page: Page,
    selection: Selection | undefined,
    { deps, viewer }: Call,
  ): Found => {
    const offset = (page.page - 1) * page.perPage
    const shape = { ...shapeOf(list, asked, selection), far: offset > 0 }
    const key = JSON.stringify(shape)
    const { find, count } = queries.get(key) ?? pageQueries(list, shape)
    if (!queries.has(key)) queries.set(key, { find, count })
    const values = valuesOf(list, shape, asked)
    values.viewer = viewer.userId
    const rows = await find(deps.read, { ...values, limit: page.perPage, offset })
    if (rows[0] !== undefined) return { rows, total: rows[0].total }
    const [counted] = page.page === 1 ? [] : await count(deps.read, values)
    return { rows, total: counted?.total ?? 0 }
  }
}

/** What the SQL depends on: which filters and sorts are asked, and which parts are wanted. Never the client's own text. */
interface Shape {
  readonly filters: readonly string[]
  readonly sorts: readonly (readonly [name: string, direction: string])[]
  readonly parts: readonly string[]
  /** Whether rows are passed over before the page's first. */
  readonly far: boolean
}

const shapeOf = (
  { filters, sorts, item }: AnyList,
  asked: Asked,
  selection: Selection | undefined,
): Omit<Shape, 'far'> => ({
  filters: Object.keys(filters).filter((name) => asked[name] !== undefined),
  sorts: Object.keys(sorts).flatMap((name) =>
    asked[name] === undefined ? [] : [[name, String(asked[name])] as const],
  ),
  parts: Object.keys(item.parts).filter((name) => wantsPart(selection, name)),
})

/** The values of a shape's slots; each filter's names are its own. */
function valuesOf({ filters }: AnyList, shape: Shape, asked: Asked): Values {
  const values: Values = {}
  for (const name of shape.filters) {
    const bound = filters[name]?.bind(asked[name]) ?? {}
    for (const part of Object.keys(bound)) values[`${name}.${part}`] = bound[part] ?? null
  }
  return values
}

function pageQueries(list: AnyList, shape: Shape) {
  const { table } = list.item.resource
  const find = prepared<PageRow, Values>((read, slot) =>
    pageRows(list, shape, read, slot)
      .select([`${table}.id`, `${table}.version`, totalOf(list, shape, read, slot).as('total')])
      .select((eb: AnyBuilder) => partColumns(list.item, shape, eb)),
  )
  const count = prepared<{ total: number }, Values>((read, slot) =>
    (read as AnyBuilder).selectNoFrom(totalOf(list, shape, read, slot).as('total')),
  )
  return { find, count }
}

/** The rows of a page. Rows far from the first are passed over as ids, in an index, before any row is read. */
function pageRows(list: AnyList, shape: Shape, read: Read, slot: Slots): AnyBuilder {
  const { table } = list.item
  const rows = sorted(narrowed(list, shape, read, slot), list, shape)
    .limit(slot('limit'))
    .offset(slot('offset'))
  if (!shape.far) return rows
  const far = (read as AnyBuilder).selectFrom(table).where(`${table}.id`, 'in', rows.select(`${table}.id`))
  return sorted(far, list, shape)
}

function narrowed({ item, rows, filters }: AnyList, shape: Shape, read: Read, slot: Slots): AnyBuilder {
  let query = (read as AnyBuilder).selectFrom(item.resource.table)
  if (rows.where) query = query.where((eb: unknown) => rows.where?.(eb, slot('viewer')))
  for (const name of shape.filters) {
    query = query.where((eb: unknown) => filters[name]?.where(eb, ownSlots(name, slot)))
  }
  return query
}

/** How many rows there are: from a kept number where there is one, else counted. */
function totalOf(list: AnyList, shape: Shape, read: Read, slot: Slots): AnyBuilder {
  const { total } = list.rows
  const [name, ...more] = shape.filters
  if (name === undefined && total !== undefined) {
    return (read as AnyBuilder).selectFrom('totals').select('n').where('name', '=', total)
  }
  const alone = name !== undefined && more.length === 0 ? list.filters[name]?.counted : undefined
  // A filter knows how many of all rows it leaves, not how many of the caller's own.
  if (alone && total !== undefined) return alone(ownSlots(name ?? '', slot))
  return narrowed(list, shape, read, slot).select((eb: AnyBuilder) => eb.fn.countAll().as('n'))
}

/** A filter's slots, under its own name; the caller's id is everybody's. */
const ownSlots =
  (name: string, slot: Slots): Slots =>
  (part) =>
    slot(part === 'viewer' ? part : `${name}.${part}`)

/** Every order ends in the id (D14). */
function sorted(query: AnyBuilder, { item, sorts }: AnyList, shape: Shape): AnyBuilder {
  const { table } = item.resource
  let ordered = query
  for (const [name, direction] of shape.sorts) {
    ordered = ordered.orderBy(`${table}.${sorts[name]?.column}`, (order: AnyBuilder) => {
      const directed = direction === 'asc' ? order.asc() : order.desc()
      return sorts[name]?.nullsLast ? directed.nullsLast() : directed
    })
  }
  return shape.sorts.some(([name]) => sorts[name]?.column === 'id') ? ordered : ordered.orderBy(`${table}.id`)
}

/** The id and version of each wanted nested row, the text of each inline part. */
function partColumns({ parts }: Item, shape: Shape, eb: AnyBuilder): AnyBuilder[] {
  return Object.entries(parts).flatMap(([name, part]) => {
    if (!shape.parts.includes(name)) return []
    if (!('of' in part)) return [sql`${part.json(eb)}`.as(name)]
    const id = part.id(eb)
    const { table } = part.of
    const version = sql`(select version from ${sql.table(table)} as nested where nested.id = ${id})`
    return [sql`${id}`.as(`${name}_id`), version.as(`${name}_version`)]
  })
}
