import type { StatusKind } from '../../library/statuses'
import type { CsvRow } from '../file/csv'
import type { Row, WorkRef } from '../row'
import { countIn, dayIn, entryOf, instantIn, textIn } from './fields'
import { csvReader } from './reader'
import { refAt, refAtTmdb, scoreOf } from './row-parts'

/** The CSV export; a fork of it adds lists to the media, marked by `row_type`. */
export const yamtrack = csvReader('yamtrack', ['media_id', 'source', 'media_type'], (cells) =>
  (cells.row_type ?? 'media') === 'media'
    ? rowOf(cells)
    : { ...rowOf(cells), title: textIn(cells.list_name), skipped: 'list' },
)

function rowOf(cells: CsvRow): Row {
  const type = cells.media_type ?? ''
  const isRepeating = cells.status === 'Repeating'
  return {
    sourceId: textIn(cells.media_id),
    title: textIn(cells.title),
    refs: refsOf(cells),
    media: type === 'movie' ? 'movie' : undefined,
    ...(type === 'episode' ? playOf(cells) : { status: entryOf(statuses, cells.status) }),
    ...(type === 'anime' && { progress: isRepeating ? 'all' : countIn(cells.progress) }),
    score: scoreOf(cells.score, 10),
    startedOn: dayIn(cells.start_date),
    finishedOn: dayIn(cells.end_date),
    rewatches: countIn(cells.repeats),
    note: textIn(cells.notes),
    updatedAt: instantIn((cells.progressed_at ?? cells.progress_changed ?? '').replace(' ', 'T')),
    ...(!mediaTypes.has(type) && { skipped: 'not_anime' }),
  }
}

/** An episode of a series at TMDB, watched at the time given. */
function playOf(cells: CsvRow): Pick<Row, 'plays' | 'startedOn' | 'finishedOn'> {
  const at = cells.end_date || cells.start_date || ''
  const watchedAt = instantIn(at.replace(' ', 'T')) ?? dayIn(at)
  const season = countIn(cells.season_number)
  return { plays: [{ season, episode: countIn(cells.episode_number) ?? 0, watchedAt }] }
}

function refsOf({ source, media_id, media_type, season_number }: CsvRow): readonly WorkRef[] {
  if (source === 'mal') return refAt('mal', media_id)
  return source === 'tmdb' ? refAtTmdb(media_type === 'movie', media_id, countIn(season_number)) : []
}

const mediaTypes: ReadonlySet<string> = new Set(['anime', 'tv', 'season', 'episode', 'movie'])

const statuses: Readonly<Record<string, StatusKind>> = {
  Completed: 'watched',
  'In progress': 'watching',
  Repeating: 'watching',
  Planning: 'wanna_watch',
  Paused: 'on_hold',
  Dropped: 'stop_watching',
}
