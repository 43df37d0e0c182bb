import type { Stream, WorkLists } from '../file/lists'
import type { Run } from '../run'
import { byHand } from '../source'

export type Parts = Omit<WorkLists, 'series'> & { readonly series?: readonly number[] }

/** Replaces this source's aliases, series and streams of a work. Returns whether anything changed. */
export function writeParts(run: Run, work: number, parts: Parts): boolean {
  const changes = [
    parts.aliases !== undefined && writeTitles(run, work, aliases, parts.aliases),
    parts.search_names !== undefined && writeTitles(run, work, searchNames(0), parts.search_names),
    parts.search_readings !== undefined && writeTitles(run, work, searchNames(1), parts.search_readings),
    parts.series !== undefined && writeSeries(run, work, parts.series),
    parts.streams !== undefined && writeStreams(run, work, parts.streams),
  ]
  return changes.includes(true)
}

interface TitleTable {
  readonly table: string
  readonly which: string
  readonly also: string
  readonly value: string
}

const aliases: TitleTable = { table: 'work_aliases', which: '', also: '', value: '' }
const searchNames = (isReading: 0 | 1): TitleTable => ({
  table: 'search_names',
  which: ` and is_reading = ${isReading}`,
  also: ', is_reading',
  value: `, ${isReading}`,
})

function writeTitles(
  run: Run,
  work: number,
  { table, which, also, value }: TitleTable,
  listed: readonly string[],
): boolean {
  const { handle, source } = run
  const removed = removedByHand(run, table, work)
  const titles = listed.filter((title) => !removed.has(title))
  const known = handle
    .query<never, [number, number]>(`select title from ${table} where work_id = ? and source_id = ?${which}`)
    .values(work, source.id)
    .map(([title]) => String(title))
  const { added, dropped } = difference(known, titles)
  for (const title of added) {
    handle
      .query(`insert into ${table} (work_id, source_id, title${also}) values (?, ?, ?${value})`)
      .run(work, source.id, title)
  }
  for (const title of dropped) {
    handle
      .query(`delete from ${table} where work_id = ? and source_id = ? and title = ?${which}`)
      .run(work, source.id, title)
  }
  return added.length + dropped.length > 0
}

function writeSeries(run: Run, work: number, listed: readonly number[]): boolean {
  const { handle, source } = run
  const removed = removedByHand(run, 'series_works', work)
  const series = listed.filter((id) => !removed.has(String(id)))
  const known = handle
    // uses series_works_work
    .query<{ id: number; source: number }, [number]>(
      'select series_id as id, source_id as source from series_works where work_id = ?',
    )
    .all(work)
  const { added } = difference(
    known.map(({ id }) => id),
    series,
  )
  const own = known.filter((one) => one.source === source.id).map(({ id }) => id)
  const { dropped } = difference(own, series)
  for (const id of added) {
    handle
      .query('insert into series_works (series_id, work_id, source_id) values (?, ?, ?)')
      .run(id, work, source.id)
  }
  for (const id of dropped) {
    handle.query('delete from series_works where series_id = ? and work_id = ?').run(id, work)
  }
  return added.length + dropped.length > 0
}

function writeStreams(run: Run, work: number, listed: readonly Stream[]): boolean {
  const { handle, source } = run
  const removed = removedByHand(run, 'streams', work)
  const streams = listed.filter(({ site, externalId }) => !removed.has(`${site}\n${externalId}`))
  const known = handle.query<StoredStream, [number]>(streamsOfWork).all(work)
  let changed = false
  for (const stream of streams) {
    const before = known.find((one) => isSame(one, stream))
    if (before !== undefined && !mayReplace(run, before, stream)) continue
    handle
      .query(`insert or replace into streams (work_id, site, external_id, begin_at, interval, source_id)
        values (?, ?, ?, ?, ?, ?)`)
      .run(work, stream.site, stream.externalId, stream.beginAt, stream.interval, source.id)
    changed = true
  }
  for (const one of known) {
    if (one.sourceId !== source.id || streams.some((stream) => isSame(one, stream))) continue
    handle
      .query('delete from streams where work_id = ? and site = ? and external_id = ?')
      .run(work, one.site, one.externalId)
    changed = true
  }
  return changed
}

type StoredStream = Stream & { sourceId: number }

const streamsOfWork = `
  select site, external_id as externalId, begin_at as beginAt, interval, source_id as sourceId
  from streams where work_id = ?`

const isSame = (one: Stream, other: Stream) => one.site === other.site && one.externalId === other.externalId

function mayReplace({ source, priorities }: Run, before: StoredStream, stream: Stream): boolean {
  if (before.beginAt === stream.beginAt && before.interval === stream.interval) return false
  return before.sourceId === source.id || (priorities.get(before.sourceId) ?? 0) <= source.priority
}

/** What a person removed stays away (D94): the values of `removed_parts`. */
function removedByHand({ handle, source }: Run, table: string, work: number): ReadonlySet<string> {
  const values = handle
    .query<never, [number, string]>('select value from removed_parts where work_id = ? and table_name = ?')
    .values(work, table)
  return new Set(source.id === byHand ? [] : values.map(([value]) => String(value)))
}

function difference<T>(before: readonly T[], after: readonly T[]): { added: T[]; dropped: T[] } {
  return {
    added: after.filter((one) => !before.includes(one)),
    dropped: before.filter((one) => !after.includes(one)),
  }
}
