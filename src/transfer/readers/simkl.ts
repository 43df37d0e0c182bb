import type { Media } from '../../catalogue/default/sources'
import type { StatusKind } from '../../library/statuses'
import type { CsvRow } from '../file/csv'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { ListRow, Play, WorkRef } from '../row'
import { countIn, dayIn, entryOf, type Fields, fieldsOf, instantIn, objectsIn, textIn } from './fields'
import { csvReader, jsonReader, type ListReader } from './reader'
import { refAt, refAtTmdb, scoreOf } from './row-parts'

/** The answer of `/sync/all-items`. Its series and films that are not listed as anime are looked up too. */
export const simklJson = jsonReader(
  'simkl',
  /^(?:anime|shows|movies)\[\]\.(?:show|movie)\.ids\.simkl$/,
  jsonRows,
)

/** The backup: a zip that contains that answer. */
export const simklZip: ListReader = {
  source: 'simkl',
  recognises: ({ members }) => members.has('simklbackup.json'),
  rows: ({ members }) => jsonRows(members.get('simklbackup.json')),
}

export const simklCsv = csvReader('simkl', ['Title', 'Year', 'LastEpWatched', 'Watchlist'], csvRow)

async function* jsonRows(file: InputFile | undefined): AsyncGenerator<ListRow> {
  if (file === undefined) return
  for await (const { value, keys } of jsonValues(file, '$.anime.*', '$.shows.*', '$.movies.*'))
    yield jsonRow(fieldsOf(value), keys[0] !== 'anime')
}

function jsonRow(entry: Fields, isOther: boolean): ListRow {
  const show = fieldsOf(entry.show ?? entry.movie)
  const ids = fieldsOf(show.ids)
  const memo = fieldsOf(entry.memo)
  const plays = playsOf(entry)
  const status = entryOf(statuses, entry.status)
  const progress = countIn(entry.watched_episodes_count)
  return {
    sourceId: textIn(ids.simkl),
    title: textIn(show.title),
    refs: refsOf(ids, entry.movie !== undefined || entry.anime_type === 'movie'),
    year: countIn(show.year),
    media: entryOf(media, entry.anime_type),
    status,
    progress: plays.length > 0 ? undefined : progress,
    plays,
    total: countIn(entry.total_episodes_count) || undefined,
    score: scoreOf(entry.user_rating, 10),
    note: memo.is_private === true ? '' : textIn(memo.text),
    updatedAt: instantIn(entry.last_watched_at) ?? instantIn(entry.added_to_watchlist_at),
    mayBeOther: isOther,
  }
}

/** A film not listed as anime has no episodes. */
function playsOf(entry: Fields): readonly Play[] {
  const plays = playsIn(entry.seasons)
  const watchedAt = instantIn(entry.last_watched_at)
  const isFilm = entry.movie !== undefined || entry.anime_type === 'movie'
  return plays.length === 0 && isFilm && entry.status === 'completed' && watchedAt !== undefined
    ? [{ episode: 0, watchedAt }]
    : plays
}

function playsIn(seasons: unknown): readonly Play[] {
  return objectsIn(seasons).flatMap(({ number: season, episodes }) =>
    objectsIn(episodes).map(({ number, watched_at }) => ({
      season: countIn(season),
      episode: countIn(number) ?? 0,
      watchedAt: instantIn(watched_at),
    })),
  )
}

function csvRow(cells: CsvRow): ListRow {
  const id = cells.simkl_id ?? cells.SIMKL_ID
  const isMovie = cells.Type?.toLowerCase().startsWith('movie') ?? false
  const tvdb = cells.TVDB_ID ?? cells.TVDB
  const status = entryOf(
    statuses,
    textIn(cells.Watchlist)
      .toLowerCase()
      .replaceAll(/[^a-z]/g, ''),
  )
  return {
    sourceId: textIn(id),
    title: textIn(cells.Title),
    refs: refsOf({ mal: cells.MAL_ID, tmdb: cells.TMDB, tvdb }, isMovie),
    year: countIn(cells.Year),
    media: isMovie ? 'movie' : undefined,
    status,
    progress: countIn(/^(?:s\d+)?e(\d+)$/i.exec(cells.LastEpWatched ?? '')?.[1]),
    score: scoreOf(cells.Rating, 10),
    finishedOn: status === 'watched' ? dayOf(cells.WatchedDate) : undefined,
    note: textIn(cells.Memo),
    mayBeOther: cells.Type?.toLowerCase() !== 'anime',
  }
}

/** Best first: MyAnimeList, AniList, AniDB, TMDB, TheTVDB. */
function refsOf(ids: Fields, isMovie: boolean): readonly WorkRef[] {
  return (['mal', 'anilist', 'anidb', 'tmdb', 'tvdb'] as const).flatMap((site) =>
    site === 'tmdb' ? refAtTmdb(isMovie, ids.tmdb) : refAt(site, ids[site]),
  )
}

/** ISO, or DD-MM-YYYY if the first number cannot be a month: otherwise the order is unknown. */
function dayOf(text = ''): string | undefined {
  const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text) ?? []
  return Number(day) > 12 ? dayIn(`${year}-${month}-${day}`) : dayIn(text)
}

const statuses: Readonly<Record<string, StatusKind>> = {
  watching: 'watching',
  completed: 'watched',
  hold: 'on_hold',
  onhold: 'on_hold',
  dropped: 'stop_watching',
  plantowatch: 'wanna_watch',
}

const media: Readonly<Record<string, Media>> = {
  tv: 'tv',
  movie: 'movie',
  ova: 'ova',
  special: 'ova',
  ona: 'web',
  'music video': 'other',
}
