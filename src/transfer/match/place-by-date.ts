import type { KnownWork } from './known-work'
import { isLong, type PlacedEpisode, type SeriesGroup } from './place-episode'
import { relatedEpisode } from './relations'
import { mostOf } from './results'
import type { SaidEpisode } from './said-play'

/**
 * The work on air at the episode's day, and its number there: of those that the said one may mean, the one closest to the
 * weeks since it began. `byNumber` is what season and number alone mean, which decides where all episodes came at once.
 */
export function placeByDate(
  { works }: SeriesGroup,
  { season, episode, airDate = '' }: SaidEpisode,
  byNumber: PlacedEpisode | undefined,
): PlacedEpisode | undefined {
  const day = Date.parse(airDate)
  const at = works.findLastIndex(({ begins }) => Date.parse(begins) <= day + daysEarly * dayMs)
  const work = works[at]
  if (work === undefined) return undefined
  const sinceBegin = (day - Date.parse(work.begins)) / dayMs
  const week = Math.round(sinceBegin / 7) + 1
  const within = Math.max(6, week / 8)
  const near = numbersIn(works, at, episode)
    .filter((number) => number >= 1 && number <= mostOf(work) && Math.abs(number - week) <= within)
    .toSorted((one, other) => Math.abs(one - week) - Math.abs(other - week))
  if (near[0] !== undefined) return { work, episode: near[0] }
  const isOwnNumber = season === 1 && at === 0 && isLong(work) && episode <= mostOf(work)
  if (isOwnNumber && episode >= week / 2 && episode <= week + within) return { work, episode }
  const isAllAtOnce = work.media === 'web' && Math.abs(sinceBegin) <= daysEarly
  return isAllAtOnce && byNumber?.work === work ? byNumber : undefined
}

/** A preview, or a day that is counted elsewhere on earth. */
const daysEarly = 3
const dayMs = 24 * 60 * 60 * 1000

/** What the number may be within the work at `at`: counted from there, by a relation, or else from works before it. */
function numbersIn(works: readonly KnownWork[], at: number, episode: number): readonly number[] {
  const ids = works[at]?.ids ?? []
  const related = works.slice(0, at + 1).flatMap((before) => {
    const found = relatedEpisode(before.ids, episode)
    return found?.ids.some((id) => ids.includes(id)) ? [found.episode] : []
  })
  return [episode, ...(related.length > 0 ? related : countedOn(works.slice(0, at), episode))]
}

/** The number without the episodes of the last, the last two … works before, as far as their lengths are known. */
function countedOn(before: readonly KnownWork[], episode: number): readonly number[] {
  const numbers: number[] = []
  let rest = episode
  for (const { count } of before.toReversed()) {
    if (count === null) break
    rest -= count
    numbers.push(rest)
  }
  return numbers
}
