import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { Play, Row, WorkRef } from '../row'
import { countIn, type Fields, fieldsOf, idIn, instantIn, listOf, scoreIn, textIn } from './fields'
import type { Contents, Reader } from './reader'

/**
 * The export: a zip of the answers of the API. A row is a series or a film with its plays, a season that was rated, a
 * title of the watchlist. Totals in `watched-shows.json` count only where there is no history.
 */
export const trakt: Reader = {
  source: 'trakt',
  recognises: (contents) => membersOf(contents, isKnown).length > 0,
  rows: (contents) => rowsOf(contents),
}

const isKnown =
  /^(?:watched-(?:history|shows|movies)|ratings-(?:shows|seasons|movies|episodes)|lists-watchlist|hidden-dropped)(?:-\d+)?\.json$/

const membersOf = (contents: Contents, names: RegExp): readonly InputFile[] =>
  contents.kind === 'archive'
    ? [...contents.members].filter(([name]) => names.test(name)).map(([, member]) => member)
    : []

async function* rowsOf(contents: Contents): AsyncGenerator<Row> {
  const titles = new Map<string, Row & { plays: Play[] }>()
  const of = (subject: Subject) => {
    const known = titles.get(subject.key) ?? { ...subject.row, plays: [] }
    titles.set(subject.key, known)
    return known
  }
  const history = membersOf(contents, /^watched-history(?:-\d+)?\.json$/)
  for await (const item of itemsIn(history)) of(subjectOf(item)).plays.push(playOf(item))
  if (history.length === 0)
    for await (const item of itemsIn(membersOf(contents, /^watched-(?:shows|movies)\.json$/)))
      of(subjectOf(item)).plays.push(...totalsOf(item))
  yield* titles.values()
  yield* othersIn(contents)
}

async function* othersIn(contents: Contents): AsyncGenerator<Row> {
  for await (const item of itemsIn(membersOf(contents, /^lists-watchlist\.json$/)))
    yield { ...subjectOf(item).row, status: 'wanna_watch' }
  for await (const item of itemsIn(membersOf(contents, /^hidden-dropped\.json$/)))
    yield { ...subjectOf(item).row, status: 'stop_watching' }
  for await (const item of itemsIn(membersOf(contents, /^ratings-(?:shows|seasons|movies)\.json$/))) {
    const value = scoreIn(item.rating)
    if (value !== undefined) yield { ...subjectOf(item).row, score: { value, scale: 10 } }
  }
}

async function* itemsIn(files: readonly InputFile[]): AsyncGenerator<Fields> {
  for (const file of files) for await (const { value } of jsonValues(file, '$.*')) yield fieldsOf(value)
}

interface Subject {
  readonly key: string
  readonly row: Row
}

/** The film, or the series, of a rated season with its number. */
function subjectOf(item: Fields): Subject {
  const movie = item.movie === undefined ? undefined : fieldsOf(item.movie)
  const title = movie ?? fieldsOf(item.show)
  const ids = fieldsOf(title.ids)
  const season = countIn(fieldsOf(item.season).number)
  return {
    key: `${movie === undefined ? 'show' : 'movie'}/${textIn(ids.trakt)}`,
    row: {
      sourceId: textIn(ids.trakt),
      title: textIn(title.title),
      refs: refsOf(ids, movie !== undefined, season),
      year: countIn(title.year),
      media: movie === undefined ? undefined : 'movie',
    },
  }
}

function refsOf(ids: Fields, isMovie: boolean, season: number | undefined): readonly WorkRef[] {
  const [tmdb, tvdb] = [idIn(ids.tmdb), idIn(ids.tvdb)]
  return [
    ...(tmdb === undefined
      ? []
      : [{ site: 'tmdb', id: `${isMovie ? 'movie' : 'tv'}/${tmdb}`, season } as const]),
    ...(tvdb === undefined || isMovie ? [] : [{ site: 'tvdb', id: tvdb, season } as const]),
  ]
}

/** A time in 1970 means that nobody knows it. */
function playOf(item: Fields): Play {
  const { season, number } = fieldsOf(item.episode)
  const watchedAt = instantIn(item.watched_at) ?? 0
  return {
    season: countIn(season),
    episode: countIn(number) ?? 0,
    watchedAt: watchedAt < Date.UTC(1971, 0) ? undefined : watchedAt,
  }
}

function totalsOf(item: Fields): readonly Play[] {
  if (item.movie !== undefined) return [{ episode: 0 }]
  return listOf(item.seasons).flatMap((one) => {
    const { number, episodes } = fieldsOf(one)
    return listOf(episodes).map((each) => {
      return { season: countIn(number), episode: countIn(fieldsOf(each).number) ?? 0 }
    })
  })
}
