import type { InputFile } from '../../file/input-file'
import { jsonValues } from '../../file/json'
import type { Row } from '../../row'
import { countIn, type Fields, fieldsOf, instantIn, objectsIn } from '../fields'
import { createHistory, type History } from '../history'
import type { TimedPlay } from '../plays'
import { type Contents, membersOf, type Reader } from '../reader'
import { createSaid, type Said } from './said'
import { placeOf, rowOf, titleKeyOf } from './subject'

/**
 * The export: a zip of API answers. A row is a series or a film with its plays, status, rating and comment, or a season
 * that was rated, commented on or put on the watchlist. Totals in `watched-shows.json` count only if there is no history.
 */
export const trakt: Reader = {
  source: 'trakt',
  recognises: (contents) => membersOf(contents, known).length > 0,
  rows: rowsOf,
}

const known =
  /^(?:watched-(?:history|shows|movies)|(?:ratings|comments)-(?:shows|seasons|movies|episodes)|lists-watchlist|hidden-dropped)(?:-\d+)?\.json$/

async function* rowsOf(contents: Contents): AsyncGenerator<Row> {
  const said = createSaid()
  for await (const item of itemsIn(membersOf(contents, /^ratings-.*\.json$/))) said.rate(item)
  for await (const item of itemsIn(membersOf(contents, /^comments-.*\.json$/))) said.comment(item)
  const titles = await playedIn(contents, said)
  const addStatus = (item: Fields, status: Pick<Row, 'status' | 'updatedAt'>) => {
    const title = titles.of(titleKeyOf(item), () => rowOf(item))
    title.row = { ...title.row, ...status }
  }
  for await (const item of itemsIn(membersOf(contents, /^lists-watchlist(?:-\d+)?\.json$/)))
    addStatus(item, { status: 'wanna_watch', updatedAt: instantIn(item.listed_at) })
  for await (const item of itemsIn(membersOf(contents, /^hidden-dropped(?:-\d+)?\.json$/)))
    addStatus(item, { status: 'stop_watching', updatedAt: instantIn(item.hidden_at) })
  for (const [key, row] of titles.entries()) yield withSaid(row, isOfFirst(row) ? said.takeTitle(key) : {})
  yield* said.rows()
}

/** Being on the watchlist means nothing for what is already watched. */
function withSaid(row: Row, said: Partial<Row>): Row {
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
const isOfFirst = ({ media, plays = [] }: Row): boolean =>
  media === 'movie' || plays.length === 0 || plays.some(({ season = 1 }) => season === 1)

async function playedIn(contents: Contents, said: Said): Promise<History> {
  const titles = createHistory(said.counts)
  const of = (item: Fields) => titles.of(titleKeyOf(item), () => rowOf(item))
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
