import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Read } from '../db/open'
import { prepared } from '../db/prepared'
import { rowCount, rowCountOfAll } from '../db/row-counts'
import type { Item } from './item'
import { type Cell, versionOf } from './parts'
import { type AnyList, aloneIn, isAboutAll, ownSlots, type Shape, type Slots, type Values } from './shape'

// One of the generic helpers: the table is only known at run time, and Kysely's types cannot follow that.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyBuilder = any

/** A row of a page: what to show, at which version, and what stands beside it. */
export type PageRow = Readonly<Record<string, Cell>> & {
  id: number
  version: number
  total: number
}

/** The queries of a list by shape. Those in use stay compiled; a client may ask for ten thousands of shapes (promise 12). */
export function pageQueries(list: AnyList) {
  const compiled = new LRUCache<string, ReturnType<typeof queriesOf>>({ max: compiledShapes })
  return (shape: Shape) => {
    const key = JSON.stringify(shape)
    const queries = compiled.get(key) ?? queriesOf(list, shape)
    compiled.set(key, queries)
    return queries
  }
}

/** Of each list; most are asked for fewer than ten. */
const compiledShapes = 32

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
  const key = prepared<{ key: number | null }, Values>((read, slot) =>
    (read as AnyBuilder).selectNoFrom(keyOf(list, shape, slot).as('key')),
  )
  return { find, count, key }
}

/** The rows of a page. Rows far from the first are passed over as ids, in an index, before any row is read. */
function pageRows(list: AnyList, shape: Shape, read: Read, slot: Slots): AnyBuilder {
  const { table } = list.item
  const id = `${table}.id`
  const rowids = rowidsOf(list, shape, slot)
  if (rowids !== undefined) {
    const those = { ...shape, filters: [], from: 'these', backwards: false } as const
    return sorted(narrowed(list, those, read, slot).where(id, 'in', rowids), list, those)
  }
  const branches = branchesOf(list, shape, read, slot)
  const cut = (rows: AnyBuilder) => sorted(rows, list, shape).limit(slot('limit')).offset(slot('offset'))
  if (branches.length === 1 && !shape.far) return cut(branches[0])
  const ids = branches.length === 1 ? cut(branches[0].select(id)) : merged(list, shape, read, branches, cut)
  const rows = (read as AnyBuilder).selectFrom(table).where(id, 'in', ids)
  return sorted(rows, list, { ...shape, from: 'these', backwards: false })
}

/** A page's ids from what is read in their order anyway; undefined where they are wanted in another. */
function rowidsOf(list: AnyList, { filters, sorts, backwards = false }: Shape, slot: Slots) {
  const [sort, way] = sorts[0] ?? []
  const byId = sort === undefined ? !list.sortedBy : list.sorts[sort]?.column === 'id'
  const rows = byId ? rowsInOrder(list, filters, slot) : undefined
  if (rows === undefined) return undefined
  const direction = (way === 'desc') !== backwards ? sql`desc` : sql`asc`
  return sql`(select rowid from ${rows} order by rowid ${direction} limit ${slot('limit')} offset ${slot('offset')})`
}

function rowsInOrder(list: AnyList, filters: readonly string[], slot: Slots) {
  const name = aloneIn(list, filters) ?? ''
  return isAboutAll(list) ? list.filters[name]?.rowids?.(ownSlots(name, slot)) : undefined
}

const branchesOf = (list: AnyList, shape: Shape, read: Read, slot: Slots): AnyBuilder[] =>
  Array.from({ length: shape.branches }, (_, branch) =>
    narrowed(list, shape, read, slot, branch).where((eb: AnyBuilder) => stretch(list, shape, eb, slot)),
  )

/** The ids of several branches, in order: SQLite reads each in its index and merges them row by row. */
function merged(
  { item: { table }, sorts }: AnyList,
  shape: Shape,
  read: Read,
  branches: readonly AnyBuilder[],
  cut: (rows: AnyBuilder) => AnyBuilder,
): AnyBuilder {
  const columns = [`${table}.id`, ...shape.sorts.map(([name]) => `${table}.${sorts[name]?.column}`)]
  const all = branches
    .map((branch) => branch.select([...new Set(columns)]))
    .reduce((rows, branch) => rows.unionAll(branch))
  return (read as AnyBuilder).selectFrom(cut(all).as('merged')).select('merged.id')
}

function stretch(
  { item, sorts }: AnyList,
  { sorts: asked, from, split }: Shape,
  eb: AnyBuilder,
  slot: Slots,
): AnyBuilder {
  const id = `${item.table}.id`
  const [name = '', direction] = asked[0] ?? []
  const { column, least } = sorts[name] ?? {}
  const key = `${item.table}.${column}`
  // So many rows have the least key that the index of one filter's rows by key is without them.
  const within = split && least !== undefined ? [eb(key, '>', sql.lit(least))] : []
  switch (from) {
    case 'up':
      return eb(id, '>=', slot('from'))
    case 'down':
      return eb(id, '<', slot('before'))
    case 'key':
      return eb.and([eb(key, '=', slot('key')), eb(id, '>=', slot('from')), ...within])
    case 'least key':
      // A leading + keeps to the index of the filter's rows by id.
      return eb.and([sql`+${sql.ref(key)} = ${slot('key')}`, eb(id, '>=', slot('from'))])
    case 'keys after':
      return eb.and([eb(key, direction === 'asc' ? '>' : '<', slot('key')), ...within])
    case 'these':
      return eb(id, 'in', sql`(select value from json_each(${slot('ids')}))`)
    default:
      return eb.lit(true)
  }
}

/** The rows the list shows under these filters. */
export function narrowed(
  { item, rows, filters }: AnyList,
  shape: Pick<Shape, 'filters'>,
  read: Read,
  slot: Slots,
  branch = 0,
): AnyBuilder {
  const form = { alone: aloneIn({ filters }, shape.filters) !== undefined, branch }
  let query = (read as AnyBuilder).selectFrom(item.table)
  if (rows.where) query = query.where((eb: unknown) => rows.where?.(eb, slot('viewer')))
  for (const name of shape.filters) {
    query = query.where((eb: unknown) => filters[name]?.where(eb, ownSlots(name, slot), form))
  }
  return query
}

/** How many rows there are: from a kept number where there is one, else counted. */
function totalOf(list: AnyList, shape: Shape, read: Read, slot: Slots): AnyBuilder {
  if (shape.from === 'these') return sql.lit(0)
  if (shape.ranked) return rowCountOfAll(slot('lists'))
  const { total, counted } = list.rows
  const name = aloneIn(list, shape.filters)
  const unfiltered = shape.filters.every((name) => list.filters[name]?.param.otherwise !== undefined)
  if (unfiltered && counted) return counted(slot('viewer'))
  if (unfiltered && total !== undefined) return rowCount(total)
  const alone = name === undefined ? undefined : list.filters[name]
  if (alone?.ownCounted && !isAboutAll(list)) return alone.ownCounted(ownSlots(name ?? '', slot))
  if (alone && isAboutAll(list)) {
    if (alone.counted) return alone.counted(ownSlots(name ?? '', slot))
    if (alone.ranked) return rowCount(alone.ranked.list, keyOf(list, shape, slot))
  }
  const counts = Array.from({ length: shape.branches }, (_, branch) =>
    narrowed(list, shape, read, slot, branch).select((eb: AnyBuilder) => eb.fn.countAll().as('n')),
  )
  return counts.length === 1 ? counts[0] : sql`(${sql.join(counts, sql` + `)})`
}

/** Under which key `row_counts` counts the rows that the only filter leaves; null where it does not. */
function keyOf(list: AnyList, { filters }: Shape, slot: Slots) {
  const name = aloneIn(list, filters)
  const ranked = name === undefined ? undefined : list.filters[name]?.ranked
  return ranked === undefined ? sql.lit(null) : ranked.key(ownSlots(name ?? '', slot))
}

/** Every order ends in the id (D14). */
export function sorted(
  query: AnyBuilder,
  { item, sorts, sortedBy }: AnyList,
  shape: Pick<Shape, 'sorts' | 'from' | 'backwards'>,
): AnyBuilder {
  const { table } = item
  // Rows of one key differ by their id alone.
  if (shape.from === 'key' || shape.from === 'least key') return query.orderBy(`${table}.id`)
  const { backwards = false } = shape
  const asked = shape.sorts.map(([name, way]) => ({ ...sorts[name], up: (way === 'asc') !== backwards }))
  const ordered = asked.reduce(
    (rows, { column, up, nullsLast }) =>
      rows.orderBy(`${table}.${column}`, (order: AnyBuilder) => {
        const directed = up ? order.asc() : order.desc()
        if (!nullsLast) return directed
        return backwards ? directed.nullsFirst() : directed.nullsLast()
      }),
    query,
  )
  if (asked.some(({ column }) => column === 'id')) return ordered
  const rest = [...(asked.length === 0 && sortedBy ? [sortedBy] : []), 'id']
  return rest.reduce(
    (rows, column) => rows.orderBy(`${table}.${column}`, backwards ? 'desc' : 'asc'),
    ordered,
  )
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
