import type { Write } from './write'

/** Runs work in a write of its own and resolves once that is committed; `work` awaits nothing. */
export type Piece = <T>(work: () => T) => Promise<T>

/** Work that may pause wherever `isOver` says that its turn is over: what it has written by then is consistent. */
export type Steps<T> = (isOver: () => boolean) => Generator<void, T>

/**
 * Does long work in short transactions, so that other writes wait for one of them at most (promise 11). Each `yield` of
 * the work is a commit. A failure undoes the piece it happened in; the pieces before stay.
 */
export async function inPieces<T>(piece: Piece, steps: Steps<T>, lengthMs = 30): Promise<T> {
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
 * Pieces in the one writer of a process, with a rest after each in which others have their turn: whoever waits in
 * another process asks for the lock at least that often.
 */
export const politePiece =
  (write: Write): Piece =>
  async (work) => {
    const result = await write(async () => work())
    await Bun.sleep(restMs)
    return result
  }

const restMs = 10
