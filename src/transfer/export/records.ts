import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import { isoTime } from '../../lib/time'
import type { RatingState } from '../../library/ratings'
import type { Precision } from '../../library/watched'
import { dayOf, type Exporter } from './entries'
import { type Columns, csvTable } from './table'

/** One record per line, oldest first. Films have none. */
export const recordsCsv = (exporter: Exporter): AsyncGenerator<string> =>
  csvTable(columnsIn(exporter.timeZone), recordsOf(exporter), 'for people')

const columnsIn = (timeZone: string): Columns<RecordWithIds> => ({
  work_id: ({ work_id }) => work_id,
  annict_id: idAt('annict'),
  mal_id: idAt('mal'),
  anilist_id: idAt('anilist'),
  anidb_id: idAt('anidb'),
  bangumi_id: idAt('bangumi'),
  title: ({ title }) => title,
  year: ({ season_year }) => season_year,
  // Never blank, because a line without an episode would be about the work.
  episode: ({ number, number_text }) => number || number_text || '?',
  number_text: ({ number_text }) => number_text,
  episode_title: ({ episode_title }) => episode_title,
  watched_at: (row) => watchedAt(row, timeZone),
  rating: ({ rating_state }) => rating_state,
  score: ({ score }) => score,
  comment: ({ comment }) => comment,
  private: (row) => (row.private === 1 ? 'yes' : 'no'),
  lap: ({ lap }) => lap,
  created_at: ({ created_at }) => isoTime(created_at),
})

const idAt =
  (site: string) =>
  ({ idsBySite }: RecordWithIds) =>
    idsBySite[site] ?? null

interface RecordWithIds extends RecordRow {
  readonly idsBySite: Readonly<Record<string, string>>
}

const atOnce = 500

async function* recordsOf({ read, userId }: Exporter): AsyncGenerator<RecordWithIds> {
  for (let after = 0; ; ) {
    const rows = await recordsAfter(read, { user: userId, after, atOnce })
    for (const row of rows) yield { ...row, idsBySite: JSON.parse(row.ids) }
    const last = rows.at(-1)?.id
    if (last === undefined) return
    after = last
    // SQLite calls are synchronous: yield to waiting requests.
    await new Promise(setImmediate)
  }
}

interface RecordRow {
  readonly id: number
  readonly work_id: number
  readonly title: string
  readonly season_year: number | null
  readonly number: string | null
  readonly number_text: string
  readonly episode_title: string
  readonly watched_at: number
  readonly watched_at_precision: Precision
  readonly rating_state: RatingState | null
  readonly score: number | null
  readonly comment: string
  readonly private: number
  readonly lap: number
  readonly created_at: number
  readonly ids: string
}

const recordsAfter = preparedSql<RecordRow, { user: number; after: number; atOnce: number }>(
  (slot) => sql<RecordRow>`
    select records.id, records.work_id, works.title, season_year, number, number_text, episodes.title as episode_title,
      watched_at, watched_at_precision, rating_state, score, comment, records.private, lap, created_at, (
        select json_group_object(ns, external_id) from external_ids indexed by external_ids_local
        where local_id = records.work_id and kind = 'work' and is_key < 2) as ids
    from records join works on works.id = records.work_id join episodes on episodes.id = records.episode_id
    where records.user_id = ${slot('user')} and records.id > ${slot('after')} -- uses records_user
    order by records.id limit ${slot('atOnce')}`,
)

/** A time, or as much of a date as is known; '' if nothing is. */
function watchedAt(
  { watched_at, watched_at_precision: precision }: RecordRow,
  timeZone: string,
): string | null {
  if (precision === 'none') return null
  return precision === 'time' ? isoTime(watched_at) : dayOf([watched_at, precision], timeZone)
}
