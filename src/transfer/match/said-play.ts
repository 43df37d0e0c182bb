import type { WorkRef } from '../row'
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

/** A series under each id that is known of it, then under its name. */
export const seriesKeys = ({
  refs,
  titles: [title = ''],
}: Pick<SaidPlay, 'refs' | 'titles'>): readonly string[] => [
  ...refs.map(({ site, id }) => `${site}:${id.replace('tv/', '')}`),
  ...(title === '' ? [] : [`title:${titleKey(title)}`]),
]

/** Where choices are kept: one for each key of a series, and for each of its seasons. */
export const choiceKeys = (said: Omit<SaidPlay, 'episode'>): readonly string[] =>
  seriesKeys(said).map((key) => (said.season === undefined ? key : `${key}/season/${said.season}`))
