import type { StatusKind } from '../../library/statuses'
import { csvRows } from '../file/csv'
import type { Row, WorkRef } from '../row'
import { countIn, dayIn, entryOf, idIn, instantIn, scoreIn, textIn } from './fields'
import { csvReader } from './reader'

type Cells = Readonly<Record<string, string | undefined>>

/** The CSV export; a fork of it puts lists beside the media, told by `row_type`. */
export const yamtrack = csvReader('yamtrack', ['media_id', 'source', 'media_type'], async function* (file) {
  for await (const cells of csvRows(file)) {
    const row = rowOf(cells)
    yield (cells.row_type ?? 'media') === 'media'
      ? row
      : { ...row, title: textIn(cells.list_name), skipped: 'list' }
  }
})

function rowOf(cells: Cells): Row {
  const type = cells.media_type ?? ''
  const score = scoreIn(cells.score)
  const isRepeating = cells.status === 'Repeating'
  return {
    sourceId: textIn(cells.media_id),
    title: textIn(cells.title),
    refs: refsOf(cells),
    media: type === 'movie' ? 'movie' : undefined,
    ...(type === 'episode' ? playOf(cells) : { status: entryOf(statuses, cells.status) }),
    ...(type === 'anime' && { progress: isRepeating ? 'all' : countIn(cells.progress) }),
    score: score === undefined ? undefined : { value: score, scale: 10 },
    startedOn: dayIn(cells.start_date),
    finishedOn: dayIn(cells.end_date),
    rewatches: countIn(cells.repeats),
    note: textIn(cells.notes),
    updatedAt: instantIn((cells.progressed_at ?? cells.progress_changed ?? '').replace(' ', 'T')),
    ...(!mediaTypes.has(type) && { skipped: 'not_anime' }),
  }
}

/** An episode of a series at TMDB, seen when it says so. */
function playOf(cells: Cells): Pick<Row, 'plays' | 'startedOn' | 'finishedOn'> {
  const at = cells.end_date || cells.start_date || ''
  const watchedAt = instantIn(at.replace(' ', 'T')) ?? dayIn(at)
  const season = countIn(cells.season_number)
  return { plays: [{ season, episode: countIn(cells.episode_number) ?? 0, watchedAt }] }
}

function refsOf(cells: Cells): readonly WorkRef[] {
  const id = idIn(cells.media_id)
  if (id === undefined) return []
  if (cells.source === 'mal') return [{ site: 'mal', id }]
  if (cells.source !== 'tmdb') return []
  const isMovie = cells.media_type === 'movie'
  return [{ site: 'tmdb', id: `${isMovie ? 'movie' : 'tv'}/${id}`, season: countIn(cells.season_number) }]
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
