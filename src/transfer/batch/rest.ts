import type { Read } from '../../db/open'
import { csvTable } from '../export/table'
import type { RowState } from '../plan/planned-row'
import type { WorkRef } from '../row'
import type { StoredImport } from './import-store'
import { matchOf, type StoredMatch } from './rows/stored-row'

const columns = [
  ...(['row', 'source_id', 'state', 'reason', 'title', 'work_id', 'annict_id', 'mal_id'] as const),
  ...(['anilist_id', 'anidb_id', 'bangumi_id', 'tmdb_id', 'year', 'status', 'progress'] as const),
  ...(['rating', 'comment', 'started_on', 'finished_on', 'rewatches'] as const),
] as const

/** What is not taken over, with the columns that an import of CSV knows. */
export const restOf = (read: Read, { id }: StoredImport): AsyncGenerator<string> =>
  csvTable(columns, leftOver(read, id), present, 'for people')

const states: readonly RowState[] = ['check', 'not_found', 'skipped', 'error']

interface RestRow {
  readonly number: number
  readonly source_id: string
  readonly title: string
  readonly state: string
  readonly reason: string | null
  readonly match: string | null
}

/** By keyset: each page is read when it is sent. */
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
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.number
    // SQLite calls are synchronous: yield to waiting requests.
    await new Promise(setImmediate)
  }
}

const present = ({ number, source_id, title, state, reason, match }: RestRow) => ({
  ...{ row: number, source_id, title, state, reason: reason ?? '' },
  ...said(match === null ? undefined : matchOf(match)),
})

const said = (match: StoredMatch | undefined) => ({
  work_id: match?.workId ?? null,
  ...idsOf(match?.row.refs ?? []),
  year: match?.row.year ?? null,
  status: match?.row.status ?? '',
  progress: typeof match?.row.progress === 'number' ? match.row.progress : null,
  rating: match?.row.rating ?? match?.row.score?.value ?? null,
  comment: match?.row.note ?? '',
  started_on: match?.row.startedOn ?? '',
  finished_on: match?.row.finishedOn ?? '',
  rewatches: match?.row.rewatches ?? null,
})

const idsOf = (refs: readonly WorkRef[]) => {
  const idAt = (site: WorkRef['site']) => refs.find((ref) => ref.site === site)?.id ?? ''
  return {
    annict_id: idAt('annict'),
    mal_id: idAt('mal'),
    anilist_id: idAt('anilist'),
    anidb_id: idAt('anidb'),
    bangumi_id: idAt('bangumi'),
    tmdb_id: idAt('tmdb'),
  }
}
