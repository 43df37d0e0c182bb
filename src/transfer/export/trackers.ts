import { isoTime } from '../../lib/time'
import type { StatusKind } from '../../library/statuses'
import { type Entry, tenthsOf, wholeTenOf } from './entry'
import { type Columns, csvTable } from './table'

const simklColumns: Columns<Entry> = {
  simkl_id: () => '',
  TVDB_ID: () => '',
  TMDB: () => '',
  IMDB_ID: () => '',
  MAL_ID: ({ malId }) => malId,
  Type: () => 'anime',
  Title: ({ title }) => title,
  Year: ({ year }) => year,
  LastEpWatched: ({ progress }) => (progress === 0 ? '' : `s1e${progress}`),
  Watchlist: ({ status }) => (status === null ? '' : simklStatuses[status]),
  WatchedDate: ({ finishedOn }) => (finishedOn?.length === 10 ? finishedOn : ''),
  Rating: (entry) => wholeTenOf(entry),
  Memo: ({ note }) => note,
}

/** The CSV that Simkl imports. It has no start dates and no rewatches. */
export const simklCsv = (entries: AsyncIterable<Entry>): AsyncGenerator<string> =>
  csvTable(simklColumns, entries, 'for programs')

const simklStatuses: Readonly<Record<StatusKind, string>> = {
  watching: 'watching',
  watched: 'completed',
  on_hold: 'hold',
  stop_watching: 'dropped',
  wanna_watch: 'plantowatch',
}

const yamtrackColumns: Columns<Entry> = {
  media_id: ({ malId, workId }) => malId || String(workId),
  source: ({ malId }) => (malId === '' ? 'manual' : 'mal'),
  media_type: () => 'anime',
  title: ({ title }) => title,
  image: () => '',
  season_number: () => '',
  episode_number: () => '',
  score: (entry) => tenthsOf(entry)?.toFixed(1) ?? null,
  progress: ({ progress }) => progress,
  status: ({ status }) => (status === null ? '' : yamtrackStatuses[status]),
  start_date: ({ startedOn }) => dateTime(startedOn),
  end_date: ({ finishedOn }) => dateTime(finishedOn),
  notes: ({ note }) => note,
  progressed_at: ({ changedAt }) => (changedAt === null ? '' : isoTime(changedAt)),
  repeats: ({ rewatches }) => rewatches,
}

/** Yamtrack's CSV. Works without an id at MyAnimeList become manual items there, identified by title. */
export const yamtrackCsv = (entries: AsyncIterable<Entry>): AsyncGenerator<string> =>
  csvTable(yamtrackColumns, entries, 'for programs')

/** A day in Yamtrack's format; '' for just a month or a year. */
const dateTime = (date: string | null) => (date?.length === 10 ? `${date} 00:00:00+00:00` : '')

const yamtrackStatuses: Readonly<Record<StatusKind, string>> = {
  watching: 'In progress',
  watched: 'Completed',
  on_hold: 'Paused',
  stop_watching: 'Dropped',
  wanna_watch: 'Planning',
}
