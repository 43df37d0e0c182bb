import { instantOf } from '../../lib/instant'
import { countIn, dayIn, type Fields, fieldsOf, idIn, textIn } from '../../transfer/readers/fields'
import type { WorkRef } from '../../transfer/row'
import type { ReportedPlay } from '../report'

/** A text in one line; servers escape quotation marks twice. Long ones are cut. */
export const saidText = (value: unknown): string =>
  textIn(value)
    .toWellFormed()
    .replaceAll('\\"', '"')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed()

/** Templates give everything as text. */
export const isTrue = (value: unknown): boolean => value === true || /^true$/i.test(textIn(value))

export const isFalse = (value: unknown): boolean => value === false || /^false$/i.test(textIn(value))

/** Epoch milliseconds of an instant with its zone; servers give seven digits of a second. */
export const instantSaid = (value: unknown): number | undefined => instantOf(textIn(value).trim())

/** Distinct names that are not blank. */
export const titlesIn = (...values: readonly unknown[]): readonly string[] => [
  ...new Set(values.map(saidText).filter((title) => title !== '')),
]

const sites: Readonly<Record<string, WorkRef['site']>> = {
  annict: 'annict',
  mal: 'mal',
  myanimelist: 'mal',
  anilist: 'anilist',
  anidb: 'anidb',
  bangumi: 'bangumi',
  tmdb: 'tmdb',
  themoviedb: 'tmdb',
  tvdb: 'tvdb',
  thetvdb: 'tvdb',
}

/** Ids of works first, whatever the case of the sites' names. At TMDB a film and a series may have the same number. */
export function refsIn(ids: unknown, isMovie: boolean): readonly WorkRef[] {
  const refs = Object.entries(fieldsOf(ids)).flatMap(([name, value]): WorkRef[] => {
    const site = Object.hasOwn(sites, name.toLowerCase()) ? sites[name.toLowerCase()] : undefined
    const id = idIn(value)
    if (site === undefined || id === undefined || (isMovie && site === 'tvdb')) return []
    return [{ site, id: site === 'tmdb' ? `${isMovie ? 'movie' : 'tv'}/${id}` : id }]
  })
  const isSeries = ({ site }: WorkRef) => Number(site === 'tmdb' || site === 'tvdb')
  return refs.toSorted((one, other) => isSeries(one) - isSeries(other)).slice(0, 10)
}

export interface SaidItem {
  readonly titles: readonly string[]
  readonly refs: readonly WorkRef[]
  readonly isMovie: boolean
  readonly season?: unknown
  /** A number, or `6-10`. */
  readonly episode?: unknown
  /** Of a file with several episodes. */
  readonly lastEpisode?: unknown
  readonly airDate?: unknown
  readonly year?: unknown
  readonly watchedAt?: number | undefined
}

/** A play for each episode of an item, at most 50; none if an episode has no number. */
export function playsOf({
  episode,
  lastEpisode,
  season,
  airDate,
  year,
  ...item
}: SaidItem): readonly ReportedPlay[] {
  const said = { ...item, airDate: dayIn(airDate), year: yearIn(year) }
  if (item.isMovie) return [{ ...said, episode: 0 }]
  const [, from, to] = /^\s*(\d{1,4})(?:\.0+)?\s*(?:-\s*(\d{1,4}))?\s*$/.exec(textIn(episode)) ?? []
  if (from === undefined) return []
  const first = Number(from)
  const last = Math.min(
    Math.max(first, Number(to ?? countIn(lastEpisode) ?? first)),
    first + mostEpisodes - 1,
  )
  return Array.from({ length: last - first + 1 }, (_, at) => ({
    ...said,
    season: countIn(season),
    episode: first + at,
  }))
}

const mostEpisodes = 50

const yearIn = (value: unknown): number | undefined => {
  const year = countIn(value)
  return year !== undefined && year >= 1900 && year < 2200 ? year : undefined
}

export const objectAt = (body: Fields, ...keys: readonly string[]): Fields =>
  keys.reduce<Fields>((fields, key) => fieldsOf(fields[key]), body)
