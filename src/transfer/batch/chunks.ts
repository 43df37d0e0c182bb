import type { Tx, Write } from '../../db/write'

/** One transaction of a long piece of work. Returns whether there is more; `isOver`: it has worked long enough. */
export type ChunkOfWork = (tx: Tx, isOver: () => boolean) => Promise<boolean>

/** At most so many rows a transaction. */
export const chunkRows = 500
/** How long a transaction works before its commit, in milliseconds. */
const chunkMs = 12
/** Other processes look for the lock every 8 ms (`write.ts`). */
const restMs = 10

/** Short transactions with pauses, so that other writes get in between. Ends early once `isStopping`. */
export async function inChunks(
  write: Write,
  chunk: ChunkOfWork,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping()) {
    const hasMore = await write((tx) => {
      const end = performance.now() + chunkMs
      return chunk(tx, () => performance.now() >= end)
    })
    if (!hasMore) return
    await Bun.sleep(restMs)
  }
}
