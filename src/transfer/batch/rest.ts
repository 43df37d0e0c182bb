import type { Read } from '../../db/open'
import { type Columns, csvTable } from '../export/table'
import type { RowState } from '../plan/planned-row'
import { favorites, type WorkRef } from '../row'
import type { StoredImport } from './import-store'
import { matchOf, type StoredMatch } from './rows/row-json'

/** Rows that are not imported, with the columns that CSV imports accept. */
export const restOf = (read: Read, { id }: StoredImport): AsyncGenerator<string> =>
  csvTable(columns, leftOver(read, id), 'for people')

const idAt =
  (site: WorkRef['site']) =>
  ({ match }: RestRow) =>
    match?.row.refs.find((ref) => ref.site === site)?.id ?? ''

const columns: Columns<RestRow> = {
  row: ({ number }) => number,
  source_id: ({ source_id }) => source_id,
  state: ({ state }) => state,
  reason: ({ reason }) => reason ?? '',
  title: ({ title }) => title,
  work_id: ({ match }) => match?.workId ?? null,
  annict_id: idAt('annict'),
  mal_id: idAt('mal'),
  anilist_id: idAt('anilist'),
  anidb_id: idAt('anidb'),
  bangumi_id: idAt('bangumi'),
  tmdb_id: idAt('tmdb'),
  year: ({ match }) => match?.row.year ?? null,
  status: ({ match }) => match?.row.status ?? '',
  progress: ({ match }) => (typeof match?.row.progress === 'number' ? match.row.progress : null),
  rating: ({ match }) => match?.row.rating ?? match?.row.score?.value ?? null,
  comment: ({ match }) => match?.row.note ?? '',
  started_on: ({ match }) => match?.row.startedOn ?? '',
  finished_on: ({ match }) => match?.row.finishedOn ?? '',
  rewatches: ({ match }) => match?.row.rewatches ?? null,
  list: ({ match }) =>
    (match?.row.lists ?? []).flatMap(({ name }) => (name === favorites ? [] : [name])).join('|'),
  private: ({ match }) => (match?.row.isPrivate === true ? 'yes' : ''),
}

const states: readonly RowState[] = ['check', 'not_found', 'skipped', 'error']

interface RestRow {
  readonly number: number
  readonly source_id: string
  readonly title: string
  readonly state: string
  readonly reason: string | null
  readonly match: StoredMatch | null
}

/** Keyset pagination: each page is read when it is sent. */
async function* leftOver(read: Read, id: number): AsyncGenerator<RestRow> {
  for (let after = 0; ; ) {
    const rows = await read
      .selectFrom('list_import_rows')
      .select(['number', 'source_id', 'title', 'state', 'reason', 'match'])
      .where('import_id', '=', id)
      .where('number', '>', after)
      .where('state', 'in', states)
      .orderBy('number')
      .limit(100)
      .execute()
    for (const { match, ...row } of rows) yield { ...row, match: match === null ? null : matchOf(match) }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.number
    // SQLite calls are synchronous: yield to waiting requests.
    await new Promise(setImmediate)
  }
}
