import { stateOfScore } from '../../library/ratings'
import { createCounts, type ReaderCounts } from '../counts'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { ListRow, Play } from '../row'
import { countIn, type Fields, fieldsOf, instantIn, objectsIn, scoreIn, textIn } from './fields'
import { createHistory, type History } from './history'
import type { TimedPlay } from './plays'
import { type Contents, type ListReader, membersOf } from './reader'
import { refAt, refAtTmdb } from './row-parts'

/**
 * The export: a zip of API answers. A row is a series or a film with its plays, status, rating and comment, or a season
 * that was rated, commented on or put on the watchlist. Totals in `watched-shows.json` count only if there is no history.
 */
export const trakt: ListReader = {
  source: 'trakt',
  recognises: (contents) => membersOf(contents, known).length > 0,
  rows: rowsOf,
}

const known =
  /^(?:watched-(?:history|shows|movies)|(?:ratings|comments)-(?:shows|seasons|movies|episodes)|lists-watchlist|hidden-dropped)(?:-\d+)?\.json$/

async function* rowsOf(contents: Contents): AsyncGenerator<ListRow> {
  const said = createSaid()
  for await (const item of itemsIn(membersOf(contents, /^ratings-.*\.json$/))) said.rate(item)
  for await (const item of itemsIn(membersOf(contents, /^comments-.*\.json$/))) said.comment(item)
  const titles = await playedIn(contents, said)
  const addStatus = (item: Fields, status: Pick<ListRow, 'status' | 'updatedAt'>) => {
    const title = titles.of(titleKeyOf(item), () => traktRow(item))
    title.row = { ...title.row, ...status }
  }
  for await (const item of itemsIn(membersOf(contents, /^lists-watchlist(?:-\d+)?\.json$/)))
    addStatus(item, { status: 'wanna_watch', updatedAt: instantIn(item.listed_at) })
  for await (const item of itemsIn(membersOf(contents, /^hidden-dropped(?:-\d+)?\.json$/)))
    addStatus(item, { status: 'stop_watching', updatedAt: instantIn(item.hidden_at) })
  for (const [key, row] of titles.entries()) yield withSaid(row, isOfFirst(row) ? said.takeTitle(key) : {})
  yield* said.rows()
}

type SaidOfTitle = Pick<ListRow, 'score' | 'note' | 'updatedAt'>

interface Said {
  readonly counts: ReaderCounts
  rate(item: Fields): void
  comment(item: Fields): void
  /** The rating and comment for the plays of an episode. */
  ofEpisode(item: Fields): Pick<Play, 'rating' | 'score' | 'comment'>
  /** What belongs to the row of a title; returned once. */
  takeTitle(key: string): SaidOfTitle
  /** Series, seasons and films that were not taken. */
  rows(): Iterable<ListRow>
}

/** Ratings and comments. Those of an episode are added to its plays and never create one. */
function createSaid(): Said {
  const counts = createCounts()
  const titles = new Map<string, { readonly row: ListRow; said: SaidOfTitle }>()
  const [ratings, comments]: [OfEpisodes<number>, OfEpisodes<string>] = [new Map(), new Map()]
  const sayOfTitle = (item: Fields, said: SaidOfTitle): void => {
    const key = titleKeyOf(item)
    const title = titles.get(key)
    if (title === undefined) {
      counts.add('titles')
      titles.set(key, { row: traktRow(item), said })
    } else title.said = { ...title.said, ...said }
  }
  const sayOfEpisode = <T>(map: OfEpisodes<T>, item: Fields, said: T): void => {
    counts.add('plays')
    const series = seriesKey(item)
    const episodes = map.get(series) ?? new Map<number, T>()
    map.set(series, episodes.set(placeNumber(item), said))
  }
  const rate = (item: Fields): void => {
    const value = scoreIn(item.rating)
    if (value === undefined) return
    if (item.episode !== undefined) sayOfEpisode(ratings, item, value)
    else sayOfTitle(item, { score: { value, scale: 10 }, updatedAt: instantIn(item.rated_at) })
  }
  const comment = (item: Fields): void => {
    const { comment, updated_at, created_at } = fieldsOf(item.comment)
    const text = counts.kept(textIn(comment))
    if (item.episode !== undefined) sayOfEpisode(comments, item, text)
    else sayOfTitle(item, { note: text, updatedAt: instantIn(updated_at) ?? instantIn(created_at) })
  }
  const ofEpisode = (item: Fields) => {
    if (ratings.size + comments.size === 0) return nothing
    const [series, place] = [seriesKey(item), placeNumber(item)]
    const ten = ratings.get(series)?.get(place)
    return { ...(ten !== undefined && opinionOf(ten)), comment: comments.get(series)?.get(place) }
  }
  const takeTitle = (key: string): SaidOfTitle => {
    const { said } = titles.get(key) ?? { said: nothing }
    titles.delete(key)
    return said
  }
  const rows = () => titles.values().map(({ row, said }) => ({ ...row, ...said }))
  return { counts, rate, comment, ofEpisode, takeTitle, rows }
}

/** By series, then by `placeNumber`: with a string key per episode, 250,000 ratings took 36 MiB more. */
type OfEpisodes<T> = Map<string, Map<number, T>>

/** The same for all items about one film or one series. */
function seriesKey(item: Fields): string {
  const { trakt, tmdb } = fieldsOf(fieldsOf(item.movie ?? item.show).ids)
  return `${item.movie === undefined ? 'show' : 'movie'}/${textIn(trakt)}/${textIn(tmdb)}`
}

const seasonOf = (item: Fields): number | undefined => countIn(fieldsOf(item.season).number)

/** The same for all items about one film, one series, or one season of it. */
const titleKeyOf = (item: Fields): string => `${seriesKey(item)}/${seasonOf(item)}`

/** The film or the series, with the season number if the item is about a season. */
function traktRow(item: Fields): ListRow {
  const isMovie = item.movie !== undefined
  const title = fieldsOf(item.movie ?? item.show)
  const [ids, season] = [fieldsOf(title.ids), seasonOf(item)]
  return {
    sourceId: textIn(ids.trakt),
    title: textIn(title.title),
    refs: [...refAtTmdb(isMovie, ids.tmdb, season), ...(isMovie ? [] : refAt('tvdb', ids.tvdb, season))],
    year: countIn(title.year),
    media: isMovie ? 'movie' : undefined,
  }
}

/** Season and number of the episode that an item is about; 0 for a film. */
function placeOf(item: Fields): { readonly season: number | undefined; readonly episode: number } {
  const { season, number } = fieldsOf(item.episode)
  return { season: countIn(season), episode: countIn(number) ?? 0 }
}

function placeNumber(item: Fields): number {
  const { season = -1, episode } = placeOf(item)
  return season * 1e9 + episode
}

const nothing = {}

/** The same steps as for scores of works. */
function opinionOf(ten: number): Pick<Play, 'rating' | 'score'> {
  const score = Math.min(100, Math.round(ten * 10))
  return { rating: stateOfScore(score), score }
}

/** Being on the watchlist means nothing for what is already watched. */
function withSaid(row: ListRow, said: Partial<ListRow>): ListRow {
  const hasPlays = (row.plays ?? []).length > 0
  const isWish = row.status === 'wanna_watch' && hasPlays
  return {
    ...row,
    ...said,
    status: isWish ? undefined : row.status,
    updatedAt: row.updatedAt ?? said.updatedAt,
  }
}

/** A rating of a series is about its first work, which a row with plays of only later seasons is not. */
const isOfFirst = ({ media, plays = [] }: ListRow): boolean =>
  media === 'movie' || plays.length === 0 || plays.some(({ season = 1 }) => season === 1)

async function playedIn(contents: Contents, said: Said): Promise<History> {
  const titles = createHistory(said.counts)
  const of = (item: Fields) => titles.of(titleKeyOf(item), () => traktRow(item))
  const history = membersOf(contents, /^watched-history(?:-\d+)?\.json$/)
  for await (const item of itemsIn(history))
    titles.addPlay(of(item), { ...playOf(item), ...said.ofEpisode(item) })
  if (history.length === 0)
    for await (const item of itemsIn(membersOf(contents, /^watched-(?:shows|movies)(?:-\d+)?\.json$/)))
      for (const play of totalsOf(item)) titles.addPlay(of(item), play)
  return titles
}

async function* itemsIn(files: readonly InputFile[]): AsyncGenerator<Fields> {
  for (const file of files) for await (const { value } of jsonValues(file, '$.*')) yield fieldsOf(value)
}

/** A time in 1970 means that it is unknown. */
function playOf(item: Fields): TimedPlay {
  const watchedAt = instantIn(item.watched_at) ?? 0
  return { ...placeOf(item), watchedAt: watchedAt < Date.UTC(1971, 0) ? undefined : watchedAt }
}

function totalsOf(item: Fields): readonly TimedPlay[] {
  if (item.movie !== undefined) return [{ episode: 0 }]
  return objectsIn(item.seasons).flatMap(({ number: season, episodes }) =>
    objectsIn(episodes).map(({ number }) => ({ season: countIn(season), episode: countIn(number) ?? 0 })),
  )
}
