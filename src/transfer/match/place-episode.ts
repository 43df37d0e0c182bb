import type { KnownWork } from './known-work'
import { continuedEpisode } from './relations'
import { mostOf } from './results'

/** A series at TMDB or TheTVDB. */
export interface SeriesGroup {
  /** Its ids at TMDB: none if it was found by name only, several if names lead to them. */
  readonly series: readonly string[]
  /** The works broadcast as part of it, by beginning. */
  readonly works: readonly KnownWork[]
  /** The season of each work, by its id, as far as it is stated. */
  readonly seasons: ReadonlyMap<number, number>
}

export interface PlacedEpisode {
  readonly work: KnownWork
  /** May exceed the work's count if its list may grow. */
  readonly episode: number
}

/**
 * The work and episode that a season and a number of a series mean. Undefined if they are not enough to
 * decide. Without a season, numbers run through the series.
 */
export function placeEpisode(
  group: SeriesGroup,
  season: number | undefined,
  episode: number,
): PlacedEpisode | undefined {
  const own = worksOfSeason(group, season)
  const [first] = own
  if (first === undefined) return undefined
  const related = continuedEpisode(first, episode)
  if (related !== undefined) {
    const meant = group.works.filter(({ ids }) => related.ids.some((id) => ids.includes(id)))
    return countThrough(meant, related.episode)
  }
  const next = group.works.indexOf(own.at(-1) ?? first) + 1
  return countThrough([...own, ...group.works.slice(next)], episode, own.length)
}

/** The works that make up a season; empty if that is uncertain. */
export function worksOfSeason(group: SeriesGroup, season: number | undefined): readonly KnownWork[] {
  const { works, seasons } = group
  if (season === undefined) return works
  if (season === 1) return worksOfFirst(group)
  const begin = works.findIndex(({ id }) => seasons.get(id) === season)
  if (begin < 0) return nthOf(group, season)
  const [before, first] = [works[begin - 1], works[begin]]
  // The season may have begun with the work before, unless that is the only one of which the first can be made.
  const isFirst = season === 2 && begin === 1
  if (before !== undefined && !isFirst && !seasons.has(before.id) && isSplit(before, first)) return []
  return works.filter(({ id }) => seasons.get(id) === season)
}

/** Works before the second season belong to the first, unless they are stated to be something else. */
function worksOfFirst({ works, seasons }: SeriesGroup): readonly KnownWork[] {
  const second = works.findIndex(({ id }) => (seasons.get(id) ?? 0) > 1)
  return works.filter(({ id }, at) => (seasons.get(id) ?? (second < 0 || at < second ? 1 : 0)) === 1)
}

/**
 * The long work whose episodes a later season may be, as other sites cut such works into seasons: its number then says
 * nothing. Seasons up to it are stated for works of the group, unless it was found by its name only (`isNamed`), where the
 * source may count differently.
 */
export function longWorkOf(
  group: SeriesGroup,
  season: number | undefined,
  isNamed: boolean,
): KnownWork | undefined {
  if (season === undefined || season < 2) return undefined
  const isStated = group.works.some(({ id }) => {
    const stated = group.seasons.get(id) ?? 0
    return stated >= 2 && stated <= season
  })
  if (isStated && !isNamed) return undefined
  const [target] = worksOfSeason(group, season)
  const end = target === undefined ? group.works.length : group.works.indexOf(target) + (isNamed ? 1 : 0)
  return group.works.slice(0, end).findLast(isLong)
}

export const isLong = ({ count, listed }: KnownWork) =>
  count === null ? listed >= 50 || listed < 12 : count > 60

/** Works that may be the season, likely ones first. */
export const worksNear = ({ works }: SeriesGroup, season = 1): readonly KnownWork[] => {
  const from = Math.max(0, Math.min(season - 2, works.length - 1))
  return [...works.slice(from), ...works.slice(0, from)]
}

/** If no seasons are stated, each work is one, unless some are so close that they may be one together. */
function nthOf({ works, seasons }: SeriesGroup, season: number): readonly KnownWork[] {
  if (seasons.size > 0) return []
  const upTo = works.slice(0, season)
  const isSure = upTo.length === season && upTo.every((work, at) => at === 0 || !isSplit(upTo[at - 1], work))
  return isSure ? upTo.slice(-1) : []
}

/** Whether two works follow so closely that other sites may count them as one season. */
export function isSplit(one: KnownWork | undefined, other: KnownWork | undefined): boolean {
  const days = (Date.parse(other?.begins ?? '') - Date.parse(one?.begins ?? '')) / dayMs
  return !(days > splitCourDays)
}

const splitCourDays = 200
const dayMs = 24 * 60 * 60 * 1000

/** `within`: how many of them are one season, after which a work of unknown length takes any number. */
export function countThrough(
  works: readonly KnownWork[],
  episode: number,
  within = 1,
): PlacedEpisode | undefined {
  let number = episode
  for (const [at, work] of works.entries()) {
    const most = lengthBefore(work, at >= within - 1, at === works.length - 1)
    if (number < 1) return undefined
    if (number <= most) return { work, episode: number }
    if (work.count === null) return undefined
    number -= most
  }
  return undefined
}

function lengthBefore(work: KnownWork, endsSeason: boolean, isLast: boolean): number {
  if (isLast || (work.count === null && endsSeason)) return mostOf(work)
  return work.count ?? work.listed
}
