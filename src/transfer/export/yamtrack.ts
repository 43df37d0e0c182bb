import { isoTime } from '../../lib/time'
import type { StatusKind } from '../../library/statuses'
import { type Entry, tenPoints } from './entry'
import { csvTable } from './table'

const columns = [
  ...(['media_id', 'source', 'media_type', 'title', 'image', 'season_number', 'episode_number'] as const),
  ...([
    'score',
    'progress',
    'status',
    'start_date',
    'end_date',
    'notes',
    'progressed_at',
    'repeats',
  ] as const),
]

/** Yamtrack's CSV. Works without an id at MyAnimeList are items of one's own there, known by their titles. */
export const yamtrackCsv = (entries: AsyncIterable<Entry>): AsyncGenerator<string> =>
  csvTable(columns, entries, rowOf, 'for programs')

function rowOf(entry: Entry) {
  const { workId, malId, status, title, progress, rating, note, rewatches } = entry
  return {
    media_id: malId || String(workId),
    source: malId === '' ? 'manual' : 'mal',
    media_type: 'anime',
    title,
    image: '',
    season_number: '',
    episode_number: '',
    score: rating === null ? '' : tenPoints[rating].toFixed(1),
    progress,
    status: status === null ? '' : statuses[status],
    start_date: dateTime(entry.startedOn),
    end_date: dateTime(entry.finishedOn),
    notes: note,
    progressed_at: entry.changedAt === null ? '' : isoTime(entry.changedAt),
    repeats: rewatches,
  }
}

/** Yamtrack's form of a day; a month or a year is none. */
const dateTime = (date: string | null) => (date?.length === 10 ? `${date} 00:00:00+00:00` : '')

const statuses: Readonly<Record<StatusKind, string>> = {
  watching: 'In progress',
  watched: 'Completed',
  on_hold: 'Paused',
  stop_watching: 'Dropped',
  wanna_watch: 'Planning',
}
