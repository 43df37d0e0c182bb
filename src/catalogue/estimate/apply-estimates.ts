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

/** The same for one work, in the caller's transaction, after a change of its dates or its list. */
export function estimateWork(handle: Database, work: number, now: number): void {
  for (const _ of estimateEpisodes(handle, findUnfit(handle, now, work))(neverOver));
  for (const _ of estimatePrograms(handle, findShowings(handle, now, work), now)(neverOver));
}

const neverOver = () => false
