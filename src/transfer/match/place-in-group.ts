import type { Read } from '../../db/open'
import type { KnownWork } from './known-work'
import { placeByDate } from './place-by-date'
import {
  isLong,
  longWorkOf,
  type PlacedEpisode,
  placeEpisode,
  type SeriesGroup,
  worksNear,
  worksOfSeason,
} from './place-episode'
import type { SaidEpisode } from './said-play'
import { specialBy, specialOfSeries } from './series-group'

/** What decided: `season` is season and number; `air_date` says that the day contradicted them. */
export type GroupRule = 'season' | 'air_date' | 'special'

export type PlacedInGroup = PlacedEpisode & { readonly rule: GroupRule }

export interface NotInGroup {
  readonly reason: 'special' | 'numbering' | 'no_episode' | 'several_works'
  /** Likely ones first. */
  readonly works: readonly KnownWork[]
}

/**
 * Which work and episode of a series are meant, for files and players. `isNamed`: the series was found by its name only,
 * where the source may count seasons differently.
 */
export async function placeInGroup(
  read: Read,
  group: SeriesGroup,
  said: SaidEpisode,
  isNamed: boolean,
): Promise<PlacedInGroup | NotInGroup> {
  const { season, episode, airDate } = said
  if (season === 0) return (await specialIn(read, group, said)) ?? { reason: 'special', works: group.works }
  const long = longWorkOf(group, season, isNamed)
  const byNumber = long === undefined ? placeEpisode(group, season, episode) : undefined
  const placed = airDate === undefined ? byNumber : placeByDate(group, said, byNumber)
  if (placed !== undefined) return { ...placed, rule: isSame(placed, byNumber) ? 'season' : 'air_date' }
  const near = worksNear(group, season)
  if (long !== undefined) return { reason: 'numbering', works: [long, ...near.filter((one) => one !== long)] }
  if (airDate !== undefined)
    return { reason: group.works.some(isLong) ? 'numbering' : 'no_episode', works: near }
  const isKnown = worksOfSeason(group, season).length > 0
  return { reason: isKnown ? 'no_episode' : 'several_works', works: near }
}

const isSame = (one: PlacedEpisode, other: PlacedEpisode | undefined) =>
  one.work === other?.work && one.episode === other.episode

/** By its address at TMDB, else what else came out in that week. */
async function specialIn(
  read: Read,
  { series }: SeriesGroup,
  { episode, airDate }: SaidEpisode,
): Promise<PlacedInGroup | undefined> {
  const [only, another] = series
  const addressed =
    only === undefined || another !== undefined ? undefined : await specialOfSeries(read, only, episode)
  const special =
    addressed ?? (airDate === undefined ? undefined : await specialBy(read, { series, airDate }))
  return special && { work: special, episode: 1, rule: 'special' }
}
