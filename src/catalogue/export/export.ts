import type { Database } from 'bun:sqlite'
import { isoTime } from '../../lib/time'
import { bit, type Cell, instant, isCounted, prefecture, prefectureName } from '../import/kinds/cells'
import type { Field, Kind, KindName } from '../import/kinds/field'
import { kinds } from '../import/kinds/kinds'
import { idWish } from '../import/rows/create-row'

export interface ExportOptions {
  /** Includes what may only be published under the licence of its source. */
  readonly withShareAlike?: boolean
}

/** Catalogue JSONL v1 without estimated rows; hidden ones count as deleted. `handle` stays in use until the last line. */
export function* exportCatalogue(handle: Database, options: ExportOptions = {}): Generator<string> {
  const isOurs = !handle.inTransaction
  if (isOurs) handle.run('begin')
  try {
    const withheld = options.withShareAlike === true ? noSource : shareAlikeSource(handle)
    yield JSON.stringify(header)
    for (const kind of kinds) yield* rowsOf(handle, kind, withheld)
    for (const kind of kinds) yield* mergesOf(handle, kind)
  } finally {
    if (isOurs) handle.run('commit')
  }
}

const header = { type: 'catalogue', version: 1, name: 'kiroku', mode: 'upsert', preserve_ids: [idWish] }

/** The only source under such a licence (ODbL): an export is a copy of the database that may be published. */
export function shareAlikeSource(handle: Database): number {
  const [source] = handle
    .query<{ id: number }, []>("select id from sources where name = 'anime-offline-database'")
    .all()
  return source?.id ?? noSource
}

const noSource = 0

function* rowsOf(handle: Database, kind: Kind, withheld: number): Generator<string> {
  for (const row of handle.query<ExportedRow, []>(rowsQuery(kind, withheld)).iterate()) {
    const owners: Record<string, number> = JSON.parse(row.owners)
    const isOpen = (name: string) => owners[name] !== withheld
    yield JSON.stringify(lineOf(kind, row, isOpen))
  }
}

/** The listed rows of a kind, with keys in place of ids and without the rows of the source `withheld`. */
function rowsQuery({ name, table, fields, lists }: Kind, withheld: number): string {
  const columns = fields.map(({ column, ref }) =>
    ref === undefined ? column : `${refKey(ref, column, withheld)} as ${column}`,
  )
  const listed = (lists ?? []).map((list) => `${listQueries(withheld)[list]} as ${list}`)
  const needed = fields.flatMap(({ column, ref, required }) =>
    ref !== undefined && required === true ? [isPublished(ref, column, withheld)] : [],
  )
  const conditions = [
    fields.some(({ column }) => column === 'estimated') ? 'estimated = 0' : 'true',
    `source_id <> ${withheld}`,
    ...needed,
  ]
  return `select id, hidden, owners, ${exportedKey(name, `${table}.id`)} as key, ${idsOf(name, `${table}.id`)} as ids,
    ${[...columns, ...listed].join(', ')} from ${table} where ${conditions.join(' and ')} order by id`
}

/** The key from a pack, or else this instance's id. */
const exportedKey = (kind: KindName, id: string) => `ifnull((
  select ns || ':' || external_id from external_ids indexed by external_ids_local
  where local_id = ${id} and kind = '${kind}' and is_key = 1 order by ns, external_id limit 1), '${idWish}:' || ${id})`

const idsOf = (kind: KindName, id: string) => `(
  select json_group_object(ns, external_id) from external_ids indexed by external_ids_local
  where local_id = ${id} and kind = '${kind}' and is_key < 2)`

/** The key of a referenced row; null if it is not exported, for example an estimated episode. */
const refKey = (kind: KindName, column: string, withheld: number) => {
  const isListed = kind === 'episode' ? ` and (select estimated from episodes where id = ${column}) = 0` : ''
  return `iif(${isPublished(kind, column, withheld)}${isListed}, ${exportedKey(kind, column)}, null)`
}

const isPublished = (kind: KindName, column: string, withheld: number) =>
  `(select source_id from ${tables.get(kind)} where id = ${column}) <> ${withheld}`

const tables = new Map(kinds.map(({ name, table }) => [name, table]))

const searchNames = (isReading: 0 | 1, withheld: number) => `(
  select json_group_array(distinct title order by title) from search_names
  where work_id = works.id and is_reading = ${isReading} and source_id <> ${withheld})`

const listQueries = (withheld: number): Readonly<Record<string, string>> => ({
  aliases: `(select json_group_array(distinct title order by title) from work_aliases where work_id = works.id and source_id <> ${withheld})`,
  search_names: searchNames(0, withheld),
  search_readings: searchNames(1, withheld),
  series: `(select json_group_array(${exportedKey('series', 'series_id')} order by series_id) from series_works where work_id = works.id and source_id <> ${withheld})`,
  streams: `(select json_group_array(json_object('site', site, 'id', nullif(external_id, ''), 'begin', begin_at, 'interval', interval)
    order by site, external_id)
    from streams where work_id = works.id and source_id <> ${withheld})`,
})

/** Keys of merged rows, and their former ids. */
function* mergesOf(handle: Database, kind: Kind): Generator<string> {
  const merges = handle.query<{ key: string; into: string }, [string, string]>(`
    select '${idWish}:' || from_id as key, ${exportedKey(kind.name, 'to_id')} as "into" from redirects where kind = ?
    union
    select ns || ':' || external_id, ${exportedKey(kind.name, 'merged.local_id')} from external_ids as merged
    where kind = ? and is_key = 2`)
  for (const { key, into } of merges.iterate(kind.name, kind.name)) {
    yield JSON.stringify({ type: kind.name, key, merged_into: into })
  }
}

type ExportedRow = Readonly<Record<string, Cell>> & {
  readonly id: number
  readonly hidden: number
  readonly key: string
  readonly owners: string
}

/** Whether the licence allows exporting a field, or an id such as `ids.mal`. */
type IsOpen = (name: string) => boolean

function lineOf(kind: Kind, row: ExportedRow, isOpen: IsOpen): Record<string, unknown> {
  const line: Record<string, unknown> = { type: kind.name, key: row.key, ids: idsOfRow(row, isOpen) }
  for (const field of kind.fields) {
    const cell = row[field.column] ?? null
    const isField = field.absent === undefined && field.path[0] !== 'ids'
    if (cell !== field.blank && isField && isOpen(field.column)) put(line, field, cell, row)
  }
  for (const list of kind.lists ?? []) {
    const items: never[] = JSON.parse(String(row[list]))
    if (items.length > 0) line[list] = list === 'streams' ? items.map(streamOf) : items
  }
  if ((row.hidden & 1) === 1) line.deleted = true
  return line
}

/** Writes a value that is not blank as files have it. `row` has the season's two columns. */
export function put(
  line: Record<string, unknown>,
  { path: [name, inner], value: kind }: Field,
  cell: Cell,
  row: Readonly<Record<string, Cell>>,
): void {
  const value =
    name === 'season_name' ? `${row.season_year}-${row.season ?? 'all'}` : (written.get(kind)?.(cell) ?? cell)
  if (inner === undefined) line[name] = value
  else line[name] = { ...(line[name] ?? {}), [inner]: value }
}

const written = new Map<unknown, (cell: Cell) => unknown>([
  [bit, (cell) => cell === 1],
  [instant, (cell) => isoTime(Number(cell))],
  [prefecture, (cell) => prefectureName(Number(cell))],
])

const idsOfRow = (row: ExportedRow, isOpen: IsOpen) => ({
  ...openIds(JSON.parse(String(row.ids)), row.key, isOpen),
  [idWish]: row.id,
})

/** Ids by site as files have them, without the one that is the key. */
export function openIds(
  stored: Readonly<Record<string, string>>,
  key: string,
  isOpen: IsOpen,
): Record<string, string | number> {
  const ids: Record<string, string | number> = {}
  for (const [site, id] of Object.entries(stored)) {
    // A key in a numeric site's namespace may be any text, but an id must be a number.
    const isNumber = /^[1-9][0-9]*$/.test(id)
    if (`${site}:${id}` !== key && (isNumber || !isCounted(site)) && isOpen(`ids.${site}`))
      ids[site] = isCounted(site) ? Number(id) : id
  }
  return ids
}

export interface ExportedStream {
  readonly site: string
  readonly id: string | null
  readonly begin: number | null
  readonly interval: string
}

export const streamOf = ({ site, id, begin, interval }: ExportedStream) => ({
  site,
  ...(id !== null && { id }),
  ...(begin !== null && { begin: isoTime(begin) }),
  interval,
})
