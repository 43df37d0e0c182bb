import type { StatusKind } from '../../library/statuses'
import { type Entry, tenPoints } from './entry'
import { csvTable } from './table'

const columns = [
  ...(['simkl_id', 'TVDB_ID', 'TMDB', 'IMDB_ID', 'MAL_ID', 'Type', 'Title', 'Year'] as const),
  ...(['LastEpWatched', 'Watchlist', 'WatchedDate', 'Rating', 'Memo'] as const),
]

/** The CSV that Simkl imports. It has no start date and no rewatches. */
export const simklCsv = (entries: AsyncIterable<Entry>): AsyncGenerator<string> =>
  csvTable(columns, entries, rowOf, 'for programs')

const rowOf = ({ malId, title, year, progress, status, finishedOn, rating, note }: Entry) => ({
  simkl_id: '',
  TVDB_ID: '',
  TMDB: '',
  IMDB_ID: '',
  MAL_ID: malId,
  Type: 'anime',
  Title: title,
  Year: year,
  LastEpWatched: progress === 0 ? '' : `s1e${progress}`,
  Watchlist: status === null ? '' : statuses[status],
  WatchedDate: finishedOn?.length === 10 ? finishedOn : '',
  Rating: rating === null ? '' : tenPoints[rating],
  Memo: note,
})

const statuses: Readonly<Record<StatusKind, string>> = {
  watching: 'watching',
  watched: 'completed',
  on_hold: 'hold',
  stop_watching: 'dropped',
  wanna_watch: 'plantowatch',
}
