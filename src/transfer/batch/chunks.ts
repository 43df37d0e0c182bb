import type { Tx, Write } from '../../db/write'

/** One transaction of a long task. Returns whether there is more to do; `isOver` says when it has worked long enough. */
export type ChunkOfWork = (tx: Tx, isOver: () => boolean) => Promise<boolean>

/** At most this many rows per transaction. */
export const chunkRows = 500
/** How long a transaction works before it commits, in milliseconds. */
const chunkMs = 12
/** Other processes try to get the lock every 8 ms (`write.ts`). */
const restMs = 10

/** Short transactions with pauses, so that other writes get their turn. Ends early once `isStopping`. */
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
