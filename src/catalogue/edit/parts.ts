import type { Database } from 'bun:sqlite'
import { byHand } from '../import/source'

/** Lists of a work: aliases by title, series by id, streams by site, line feed and id there. */
export type PartName = 'aliases' | 'series' | 'streams'

interface PartTable {
  readonly table: string
  /** SQL for the value that names one in `removed_parts`. */
  readonly value: string
  readonly columns: readonly string[]
}

const tables: Readonly<Record<PartName, PartTable>> = {
  aliases: { table: 'work_aliases', value: 'title', columns: ['title', 'source_id'] },
  series: {
    table: 'series_works',
    value: 'cast(series_id as text)',
    columns: ['series_id', 'source_id', 'position'],
  },
  streams: {
    table: 'streams',
    value: 'site || char(10) || external_id',
    columns: ['site', 'external_id', 'begin_at', 'interval', 'source_id'],
  },
}

/** A row without its work, by column. */
export type PartRow = Readonly<Record<string, string | number | null>>

/** Rows before and after. */
interface PartChange {
  readonly before: readonly PartRow[]
  readonly after: readonly PartRow[]
}

/** The values of a work, each once, in the order of their rows. */
export function partsOf(handle: Database, part: PartName, work: number): string[] {
  const { table, value } = tables[part]
  const rows = handle
    .query<never, [number]>(`select distinct ${value} from ${table} where work_id = ?`)
    .values(work)
  return rows.map(([one]) => String(one))
}

/** The sources that list it, in ascending order. */
export const holdersOfPart = (handle: Database, part: PartName, work: number, value: string): number[] =>
  rowsOf(handle, part, work, value).map(({ source_id }) => Number(source_id))

/** Adds it as by hand, also where it was removed. */
export function addPart(handle: Database, part: PartName, work: number, value: string): PartChange {
  const source_id = byHand
  const [site = '', external_id = ''] = value.split('\n')
  const rows: Readonly<Record<PartName, PartRow>> = {
    aliases: { title: value, source_id },
    series: { series_id: Number(value), source_id, position: null },
    streams: { site, external_id, begin_at: null, interval: '', source_id },
  }
  return putPart(handle, part, work, value, { rows: [rows[part]], isRemoved: false })
}

/** Removes it, whoever lists it, so that no source adds it again. */
export const dropPart = (handle: Database, part: PartName, work: number, value: string): PartChange =>
  putPart(handle, part, work, value, { rows: [], isRemoved: true })

/** Its row becomes one by hand. */
export function placePart(
  handle: Database,
  work: number,
  series: number,
  position: number | null,
): PartChange {
  const before = rowsOf(handle, 'series', work, String(series))
  const moves = before.some((row) => row.position !== position)
  const rows = moves ? [{ series_id: series, source_id: byHand, position }] : before
  return putPart(handle, 'series', work, String(series), { rows, isRemoved: false })
}

/** Puts these rows in the place of whatever there is of the value. */
export function putPart(
  handle: Database,
  part: PartName,
  work: number,
  value: string,
  { rows, isRemoved }: { readonly rows: readonly PartRow[]; readonly isRemoved: boolean },
): PartChange {
  const { table, value: name, columns } = tables[part]
  const before = rowsOf(handle, part, work, value)
  handle.query(`delete from ${table} where work_id = ? and ${name} = ?`).run(work, value)
  const slots = columns.map(() => '?').join(', ')
  const add = handle.query(`insert into ${table} (work_id, ${columns.join(', ')}) values (?, ${slots})`)
  for (const row of rows) add.run(work, ...columns.map((column) => row[column] ?? null))
  const mark = isRemoved
    ? 'insert or ignore into removed_parts (work_id, table_name, value) values (?, ?, ?)'
    : 'delete from removed_parts where work_id = ? and table_name = ? and value = ?'
  handle.query(mark).run(work, table, value)
  return { before, after: rowsOf(handle, part, work, value) }
}

export function rowsOf(handle: Database, part: PartName, work: number, value: string): PartRow[] {
  const { table, value: name, columns } = tables[part]
  return handle
    .query<PartRow, [number, string]>(
      `select ${columns.join(', ')} from ${table} where work_id = ? and ${name} = ? order by source_id`,
    )
    .all(work, value)
}
