import { touchAnyTable } from './dialect'
import type { Write } from './write'

/** Runs synchronous work in its own write; resolves after the commit. */
export interface PieceRunner {
  <T>(work: () => T): Promise<T>
  readonly lengthMs?: number
}

/** Work that may yield once `isOver()` is true, leaving the data consistent. */
export type YieldingWork<T> = (isOver: () => boolean) => Generator<void, T>

/** Short transactions, so that other writes wait for one at most (promise 11). A failure only undoes its own piece. */
export async function inPieces<T>(piece: PieceRunner, steps: YieldingWork<T>): Promise<T> {
  const lengthMs = piece.lengthMs ?? usualMs
  let end = 0
  const work = steps(() => performance.now() >= end)
  for (;;) {
    const step = await piece(() => {
      end = performance.now() + lengthMs
      return work.next()
    })
    if (step.done === true) return step.value
  }
}

/**
 * Pauses after each `lengthMs` of work, so that other processes get the lock. The work may write on the writer's handle
 * itself, here and nowhere else: whatever is kept of any table is read again.
 */
export function pausingRunner(write: Write, lengthMs = usualMs): PieceRunner {
  let workedMs = 0
  const piece = async <T>(work: () => T) => {
    const begun = performance.now()
    const result = await write(async (tx) => {
      touchAnyTable(tx)
      return work()
    })
    workedMs += performance.now() - begun
    if (workedMs < lengthMs) return result
    workedMs = 0
    await Bun.sleep(restMs)
    return result
  }
  return Object.assign(piece, { lengthMs })
}

const usualMs = 30
const restMs = 10
