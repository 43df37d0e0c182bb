import type { ListedEpisode } from '../row'
import type { EpisodeHere } from './here'

type PlaceOf = (number: number, listed?: ListedEpisode) => number | undefined

/** An episode's index: as named by kiroku's own file, else by number, else by position. Undefined beyond the list. */
export function placesIn(episodes: readonly EpisodeHere[]): PlaceOf {
  const byNumber = new Map<number, number>()
  for (const [index, { number }] of episodes.entries())
    if (number !== null && !byNumber.has(number)) byNumber.set(number, index)
  let byListed: ReadonlyMap<string, number> | undefined
  return (number, listed) => {
    if (listed !== undefined) byListed ??= placesByListed(episodes)
    const same = listed && byListed?.get(numberKey(wholeNumber(listed.number), listed.sortNumber))
    if (same !== undefined) return same
    const isNumbered = listed === undefined || wholeNumber(listed.number) !== null
    const known = isNumbered ? byNumber.get(number) : undefined
    return known ?? (number >= 1 && number <= episodes.length ? number - 1 : undefined)
  }
}

const placesByListed = (episodes: readonly EpisodeHere[]): ReadonlyMap<string, number> =>
  new Map(episodes.map(({ number, sortNumber }, index) => [numberKey(number, sortNumber), index]))

const numberKey = (number: number | null, sortNumber: number) => `${number} ${sortNumber}`

/** Null if there is none, and for `1.5`. */
export const wholeNumber = (number: string | null): number | null =>
  number !== null && /^\d{1,9}$/.test(number) ? Number(number) : null
