import type { StatusKind } from '../../library/statuses'
import { type Entry, tenPoints } from './entry'
import { type Columns, csvTable } from './table'

const columns: Columns<Entry> = {
  simkl_id: () => '',
  TVDB_ID: () => '',
  TMDB: () => '',
  IMDB_ID: () => '',
  MAL_ID: ({ malId }) => malId,
  Type: () => 'anime',
  Title: ({ title }) => title,
  Year: ({ year }) => year,
  LastEpWatched: ({ progress }) => (progress === 0 ? '' : `s1e${progress}`),
  Watchlist: ({ status }) => (status === null ? '' : statuses[status]),
  WatchedDate: ({ finishedOn }) => (finishedOn?.length === 10 ? finishedOn : ''),
  Rating: ({ rating }) => (rating === null ? '' : tenPoints[rating]),
  Memo: ({ note }) => note,
}

/** The CSV that Simkl imports. It has no start dates and no rewatches. */
export const simklCsv = (entries: AsyncIterable<Entry>): AsyncGenerator<string> =>
  csvTable(columns, entries, 'for programs')

const statuses: Readonly<Record<StatusKind, string>> = {
  watching: 'watching',
  watched: 'completed',
  on_hold: 'hold',
  stop_watching: 'dropped',
  wanna_watch: 'plantowatch',
}
