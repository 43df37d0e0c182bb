import type { KnownWork } from './known-work'

/** How far a list may grow whose length nobody knows. */
export const mostGrown = 2000

export interface CountTest {
  /** The source has another number of episodes: its id may stand for another part of the work. */
  readonly differs: boolean
  readonly growsTo: number | null
}

/** Compares how many episodes a source knows of a work, or counts as watched, with how many there are. */
export function testCount(work: KnownWork, watched: number, total: number | undefined): CountTest {
  const needed = Math.max(total ?? 0, watched)
  if (work.isWhole) return { differs: false, growsTo: null }
  const growsTo = watched > work.listed ? watched : null
  return needed <= mostOf(work) ? { differs: false, growsTo } : { differs: true, growsTo: null }
}

/** The highest number an episode of it can have, as its list may be short of some. */
export function mostOf({ count, isEstimated }: KnownWork): number {
  if (count === null) return mostGrown
  return isEstimated ? count + Math.max(2, Math.floor(count / 5)) : count
}
