import type { Database } from 'bun:sqlite'
import { estimateEpisodes } from './estimate-episodes'
import { estimatePrograms } from './estimate-programs'

/** How many estimated rows were made, moved or taken away. */
export interface Estimated {
  readonly episodes: number
  readonly programs: number
}

/**
 * Makes the episodes and programs that follow from the works' dates, where nobody lists real ones. Adds what is missing:
 * run again at the same time it changes nothing, run later it goes on. The caller holds the transaction.
 */
export function applyEstimates(handle: Database, now: number): Estimated {
  return { episodes: estimateEpisodes(handle, now), programs: estimatePrograms(handle, now) }
}
