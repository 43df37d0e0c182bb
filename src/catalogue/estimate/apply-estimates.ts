import type { Database } from 'bun:sqlite'
import { inPieces, type PieceRunner } from '../../db/in-pieces'
import { estimateEpisodes, findUnfit } from './estimate-episodes'
import { estimatePrograms, findShowings } from './estimate-programs'

/** How many estimated rows were made, moved or taken away. */
export interface Estimated {
  readonly episodes: number
  readonly programs: number
}

/**
 * Makes the episodes and programs that follow from the works' dates, where nobody lists real ones. Adds what is missing:
 * run again at the same time it changes nothing, run later it goes on. The caller holds the catalogue's lock.
 */
export async function applyEstimates(
  { handle, piece }: { readonly handle: Database; readonly piece: PieceRunner },
  now: number,
): Promise<Estimated> {
  // What there is to do is found between the pieces: nobody waits for a reader.
  const episodes = await inPieces(piece, estimateEpisodes(handle, findUnfit(handle, now)))
  const programs = await inPieces(piece, estimatePrograms(handle, findShowings(handle, now), now))
  return { episodes, programs }
}
