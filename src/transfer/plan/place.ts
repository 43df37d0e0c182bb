import type { EpisodeHere } from './here'

/** The place of an episode by its number: by the numbers of the list, else by its order. Undefined beyond the list. */
export function placesIn(episodes: readonly EpisodeHere[]): (number: number) => number | undefined {
  const byNumber = new Map<number, number>()
  for (const [index, { number }] of episodes.entries())
    if (number !== null && !byNumber.has(number)) byNumber.set(number, index)
  return (number) =>
    byNumber.get(number) ?? (number >= 1 && number <= episodes.length ? number - 1 : undefined)
}
