import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { DB } from '../db/schema'
import type { Viewer } from './bearer'
import type { Call } from './endpoint'
import type { Selection } from './fields'
import { type Item, wantsPart } from './item'
import type { Page } from './paging'

// One of the generic helpers: the table is only known at run time, and Kysely's types cannot follow that.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyBuilder = any

/** A list whose table is only known at run time. */
export interface AnyList {
  readonly item: Item
  readonly rows: { where?(eb: unknown, viewer: Viewer): Expression<SqlBool>; total?: string }
  readonly filters: Record<
    string,
    { where(eb: unknown, value: unknown, viewer: Viewer): Expression<SqlBool> }
  >
  readonly sorts: Record<string, { column: string; nullsLast?: true }>
}

/** A row of a page: what to show, at which version, and what stands beside it. */
export type PageRow = Readonly<Record<string, number | string | null>> & {
  id: number
  version: number
  total: number
}

/** The rows of a page and the total of all pages, in one query; in two where the page has no rows. */
export async function findPage(
  list: AnyList,
  asked: Asked,
  page: Page,
  selection: Selection | undefined,
  call: Call,
): Promise<{ rows: readonly PageRow[]; total: number }> {
  const narrowed = narrow(list, asked, call)
  const total = totalOf(list, asked, call)
  const { table } = list.item.resource
  const query = sorted(narrowed, list, asked)
    .select([`${table}.id`, `${table}.version`, total.as('total')])
    .select((eb: AnyBuilder) => partColumns(list.item, selection, eb))
    .limit(page.perPage)
    .offset((page.page - 1) * page.perPage)
  const rows: PageRow[] = await query.execute()
  if (rows[0] !== undefined) return { rows, total: rows[0].total }
  if (page.page === 1) return { rows, total: 0 }
  const [counted] = await (call.deps.read as AnyBuilder).selectNoFrom(total.as('total')).execute()
  return { rows, total: counted.total }
}

function narrow({ item, rows, filters }: AnyList, asked: Asked, { deps, viewer }: Call): AnyBuilder {
  let query = (deps.read as unknown as Kysely<DB>).selectFrom(item.resource.table) as AnyBuilder
  const { where } = rows
  if (where) query = query.where((eb: unknown) => where(eb, viewer))
  for (const name of Object.keys(filters)) {
    const value = asked[name]
    if (value !== undefined) query = query.where((eb: unknown) => filters[name]?.where(eb, value, viewer))
  }
  return query
}

/** How many rows there are: the kept counter where nothing narrows the list, else a count. */
function totalOf(list: AnyList, asked: Asked, call: Call): AnyBuilder {
  const narrowed = Object.keys(list.filters).some((name) => asked[name] !== undefined)
  const { total } = list.rows
  if (total === undefined || narrowed) {
    return narrow(list, asked, call).select((eb: AnyBuilder) => eb.fn.countAll().as('n'))
  }
  return (call.deps.read as AnyBuilder).selectFrom('totals').select('n').where('name', '=', total)
}

/** Every order ends in the id (D14). */
function sorted(query: AnyBuilder, { item, sorts }: AnyList, asked: Asked): AnyBuilder {
  let ordered = query
  for (const [name, { column, nullsLast }] of Object.entries(sorts)) {
    const way = asked[name]
    if (way === undefined) continue
    ordered = ordered.orderBy(`${item.resource.table}.${column}`, (order: AnyBuilder) => {
      const directed = way === 'asc' ? order.asc() : order.desc()
      return nullsLast ? directed.nullsLast() : directed
    })
  }
  return asked.sort_id === undefined ? ordered.orderBy(`${item.resource.table}.id`) : ordered
}

/** The id and version of each wanted nested row, the text of each inline part. */
function partColumns({ parts }: Item, selection: Selection | undefined, eb: AnyBuilder): AnyBuilder[] {
  return Object.entries(parts).flatMap(([name, part]) => {
    if (!wantsPart(selection, name)) return []
    if (!('of' in part)) return [part.json(eb) as AnyBuilder].map((json) => json.as(name))
    const id = part.id(eb)
    const { table } = part.of
    const version = sql`(select version from ${sql.table(table)} as nested where nested.id = ${id})`
    return [sql`${id}`.as(`${name}_id`), version.as(`${name}_version`)]
  })
}

type Asked = Readonly<Record<string, unknown>>
