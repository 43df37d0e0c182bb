import type { ListedEpisode } from '../row'
import type { EpisodeHere } from './here'

/** The place of an episode by its number: by the numbers of the list, else by its order. Undefined beyond the list. */
export function placesIn(episodes: readonly EpisodeHere[]): (number: number) => number | undefined {
  const byNumber = new Map<number, number>()
  for (const [index, { number }] of episodes.entries())
    if (number !== null && !byNumber.has(number)) byNumber.set(number, index)
  return (number) =>
    byNumber.get(number) ?? (number >= 1 && number <= episodes.length ? number - 1 : undefined)
}

/** kiroku's own file tells the place of an episode that has no number. */
export const isNumbered = (listed: ListedEpisode | undefined): boolean =>
  listed === undefined || /^\d+$/.test(listed.number ?? '')
