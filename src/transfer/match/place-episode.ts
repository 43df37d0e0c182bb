import { packedRules } from '../../../db/relations/packed-rules' with { type: 'macro' }
import type { KnownWork } from './known-work'
import { mostOf } from './results'

/** A series at TMDB or TheTVDB. */
export interface SeriesGroup {
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
  const related = isBeyond(first, episode) ? relatedEpisode(first.ids, episode) : undefined
  if (related !== undefined) {
    const meant = group.works.filter(({ ids }) => related.ids.some((id) => ids.includes(id)))
    return countThrough(meant, related.episode)
  }
  const next = group.works.indexOf(own.at(-1) ?? first) + 1
  return countThrough([...own, ...group.works.slice(next)], episode)
}

/**
 * Where a work's episodes continue as those of another (`db/relations/anime-relations.txt`, CC0): `- A:13-24 ->
 * B:1-12!`, with ids `MAL|Kitsu|AniList`; `?` is unknown or open, `~` the source's id, `!` repeats the rule for the
 * destination.
 */
interface Rule {
  readonly first: number
  readonly last: number
  readonly to: readonly string[]
  readonly toFirst: number
}

/** An episode: the ids of its work, such as `mal:21`, and its number there. */
interface Related {
  readonly ids: readonly string[]
  readonly episode: number
}

/** The same episode as counted elsewhere; undefined if no rule applies. */
function relatedEpisode(ids: readonly string[], episode: number): Related | undefined {
  for (const rule of rulesOf(ids))
    if (episode >= rule.first && episode <= rule.last)
      return { ids: rule.to, episode: rule.toFirst + episode - rule.first }
  return undefined
}

function rulesOf(ids: readonly string[]): readonly Rule[] {
  rules ??= rulesIn(Bun.zstdDecompressSync(Buffer.from(packedRules(), 'base64')).toString())
  for (const id of ids) {
    const found = rules.get(id)
    if (found !== undefined) return found
  }
  return []
}

let rules: ReadonlyMap<string, readonly Rule[]> | undefined

function rulesIn(file: string): ReadonlyMap<string, readonly Rule[]> {
  const found = new Map<string, Rule[]>()
  const add = (ids: readonly string[], rule: Rule) => {
    for (const id of ids) found.set(id, [...(found.get(id) ?? []), rule])
  }
  for (const [, from = '', first, last, to = '', toFirst, repeats] of file.matchAll(line)) {
    const [source, target] = [from.split('|'), to.split('|')]
    const ids = target.map((id, site) => (id === '~' ? (source[site] ?? '?') : id))
    const begin = Number(first)
    const rule = { first: begin, last: lastOf(begin, last), to: idsOf(ids), toFirst: Number(toFirst) }
    add(idsOf(source), rule)
    if (repeats === '!') add(idsOf(ids), rule)
  }
  return found
}

const line = /^- ([\d?|]+):(\d+)(?:-([\d?]+))? -> ([\d?~|]+):(\d+)(?:-[\d?]+)?(!?)\s*$/gm

const lastOf = (first: number, last: string | undefined): number => {
  if (last === '?') return Number.POSITIVE_INFINITY
  return last === undefined ? first : Number(last)
}

const idsOf = ([mal = '?', , anilist = '?']: readonly string[]): readonly string[] => [
  ...(mal === '?' ? [] : [`mal:${mal}`]),
  ...(anilist === '?' ? [] : [`anilist:${anilist}`]),
]

/** The works that make up a season; empty if that is uncertain. */
export function worksOfSeason(group: SeriesGroup, season: number | undefined): readonly KnownWork[] {
  const { works, seasons } = group
  if (season === undefined) return works
  if (season === 1) return worksOfFirst(group)
  const begin = works.findIndex(({ id }) => seasons.get(id) === season)
  if (begin < 0) return nthOf(group, season)
  const [before, first] = [works[begin - 1], works[begin]]
  // The season may have begun with the work before.
  if (before !== undefined && !seasons.has(before.id) && isSplit(before, first)) return []
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

const isLong = ({ count, listed }: KnownWork) => (count === null ? listed >= 50 || listed < 12 : count > 60)

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

const isBeyond = ({ count }: KnownWork, episode: number) => episode < 1 || episode > (count ?? 0)

function countThrough(works: readonly KnownWork[], episode: number): PlacedEpisode | undefined {
  let number = episode
  for (const [at, work] of works.entries()) {
    const isLast = at === works.length - 1
    const most = isLast || work.count === null ? mostOf(work) : work.count
    if (number < 1) return undefined
    if (number <= most) return { work, episode: number }
    number -= most
  }
  return undefined
}
