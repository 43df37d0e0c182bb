import type { Database } from 'bun:sqlite'
import { byHand } from '../import/source'
import { type ExportedStream, streamOf } from './export'

type WorkParts = Record<string, readonly unknown[]>

/**
 * Aliases, series and streams of a work as fields of a line: all that it has, or with `onlyByHand` those that were added by hand
 * and that no source lists. `former`: those that were removed by hand.
 */
export function correctedParts(
  handle: Database,
  work: number,
  keyOfSeries: (id: number) => string,
  onlyByHand = false,
): { readonly now: WorkParts; readonly former: WorkParts } {
  const now: WorkParts = {}
  const former: WorkParts = {}
  const shownIn: Record<(typeof partsQueries)[number]['name'], (part: Part) => unknown> = {
    aliases: ({ value }) => value,
    series: ({ value }) => keyOfSeries(Number(value)),
    streams: streamOf,
  }
  for (const { name, sql, table } of partsQueries) {
    const listed = handle
      .query<Part, [number]>(`${sql} ${onlyByHand ? isAddedByHand : ''} order by value`)
      .all(work)
    const removed = handle.query<Part, [string, string, number]>(removedByHand).all(table, name, work)
    if (listed.length > 0) now[name] = listed.map((part) => shownIn[name](part))
    if (removed.length > 0) former[name] = removed.map((part) => shownIn[name](part))
  }
  return { now, former }
}

interface Part extends ExportedStream {
  /** A title, the id of a series, or a site, a line feed and an id. */
  readonly value: string
}

const columns = (value: string, stream = "'' as site, null as id, null as begin, '' as interval") =>
  `select ${value} as value, ${stream}, max(source_id) as latest`

const partsQueries = [
  {
    ...({ name: 'aliases', table: 'work_aliases' } as const),
    sql: `${columns('title')} from work_aliases where work_id = ? group by 1`,
  },
  {
    ...({ name: 'series', table: 'series_works' } as const),
    sql: `${columns('cast(series_id as text)')} from series_works where work_id = ? group by 1`,
  },
  {
    ...({ name: 'streams', table: 'streams' } as const),
    sql: `${columns('site || char(10) || external_id', "site, nullif(external_id, '') as id, begin_at as begin, interval")}
      from streams where work_id = ? group by 1`,
  },
] as const

// The title of a merged work becomes an alias that no source lists, too (D67).
const isAddedByHand = `
  having latest = ${byHand} and value not in (
    select title from works where id in (select from_id from redirects where kind = 'work' and to_id = work_id))`

// What corrections of others removed is not in the history.
const removedByHand = `
  select value, substr(value, 1, instr(value, char(10)) - 1) as site,
    nullif(substr(value, instr(value, char(10)) + 1), '') as id, null as begin, '' as interval
  from removed_parts where table_name = ? and exists (
    select 1 from catalogue_change_fields where kind = 'work' and row_id = work_id and field = ? || '.' || value)
    and work_id = ? order by value`
