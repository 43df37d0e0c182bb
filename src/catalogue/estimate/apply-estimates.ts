import type { Database } from 'bun:sqlite'
import { inPieces, type PieceRunner } from '../../db/in-pieces'
import { estimateEpisodes, findUnfit } from './estimate-episodes'
import { estimatePrograms, findShowings } from './estimate-programs'

export interface Estimated {
  readonly episodes: number
  readonly programs: number
}

/** Fills in episodes and programs from works' dates if none are listed. Idempotent; the caller holds the lock. */
export async function applyEstimates(
  { handle, piece }: { readonly handle: Database; readonly piece: PieceRunner },
  now: number,
): Promise<Estimated> {
  // Reads take place between the pieces, so that no write waits for them.
  const episodes = await inPieces(piece, estimateEpisodes(handle, findUnfit(handle, now)))
  const programs = await inPieces(piece, estimatePrograms(handle, findShowings(handle, now), now))
  return { episodes, programs }
}
