import type { Write } from './write'

/** Runs work in a write of its own and resolves once that is committed; `work` awaits nothing. */
export interface Piece {
  <T>(work: () => T): Promise<T>
  /** How long a piece of `inPieces` is meant to take. */
  readonly lengthMs?: number
}

/** Work that may pause wherever `isOver` says that its turn is over: what it has written by then is consistent. */
export type Steps<T> = (isOver: () => boolean) => Generator<void, T>

/**
 * Does long work in short transactions, so that other writes wait for one of them at most (promise 11). Each `yield` of
 * the work is a commit. A failure undoes the piece it happened in; the pieces before stay.
 */
export async function inPieces<T>(piece: Piece, steps: Steps<T>): Promise<T> {
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
 * Pieces in the one writer of a process, with a rest whenever they have taken `lengthMs` together, in which others have
 * their turn: whoever waits in another process asks for the lock at least that often.
 */
export function politePiece(write: Write, lengthMs = usualMs): Piece {
  let workedMs = 0
  const piece = async <T>(work: () => T) => {
    const begun = performance.now()
    const result = await write(async () => work())
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
