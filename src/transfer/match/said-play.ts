import type { WorkRef } from '../row'
import { isOfSeries } from './by-id'
import { titleKey } from './title-index'

/** An episode as a player or a list says it. */
export interface SaidEpisode {
  readonly season?: number | undefined
  readonly episode: number
  /** The day of its first broadcast, `2016-04-03`. */
  readonly airDate?: string | undefined
}

/** What is said about a series or a film besides its ids. */
export interface SaidName {
  /** In any language, best first. */
  readonly titles: readonly string[]
  readonly year?: number | undefined
  /** `2016-04-03`. */
  readonly airDate?: string | undefined
}

/** What a player says about an episode or a film. */
export interface SaidPlay extends SaidName {
  /** Of the work, or of the series if it has several. */
  readonly refs: readonly WorkRef[]
  readonly isMovie: boolean
  readonly season?: number | undefined
  /** 0 for a film. */
  readonly episode: number
}

/** Where choices are kept: a series under each id and name that its plays had. */
export const seriesKeys = ({
  refs,
  titles: [title = ''],
  season,
}: Omit<SaidPlay, 'episode'>): readonly string[] => {
  const ids = refs
    .filter((ref) => isOfSeries(ref) || ref.site === 'tmdb')
    .map(({ site, id }) => `${site}:${id.replace('tv/', '')}`)
  const names = title === '' ? [] : [`title:${titleKey(title)}`]
  return [...ids, ...names].map((key) => (season === undefined ? key : `${key}/season/${season}`))
}
