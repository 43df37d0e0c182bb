import { serviceUnavailable } from '../../http/errors'
import { collectGarbage } from '../../lib/collect-garbage'

/** The turn of a large request. */
export interface LargeTurn {
  /** Resolves when the request may go on. */
  readonly begun: Promise<void>
  end(): void
}

const maxWaiting = 64
const maxWaitingOfUser = 8

let running: object | undefined
const waiting = new Map<number, { turn: object; begin: () => void }[]>()

/** One at a time, and users one after another. Throws service_unavailable if too many wait. */
export function largeTurnOf(user: number): LargeTurn {
  const turn = {}
  const end = () => {
    if (running !== turn) return forget(user, turn)
    // After the answer has been made: otherwise what this one read would still be there during the next.
    setImmediate(() => {
      if (waiting.size > 0) collectGarbage()
      startNext()
    })
  }
  if (running === undefined) {
    running = turn
    return { begun: Promise.resolve(), end }
  }
  const own = waiting.get(user) ?? []
  const all = [...waiting.values()].reduce((sum, { length }) => sum + length, 0)
  if (own.length >= maxWaitingOfUser || all >= maxWaiting)
    throw serviceUnavailable('Too many large GraphQL queries are waiting.')
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.set(user, [...own, { turn, begin: resolve }])
  return { begun: promise, end }
}

function startNext(): void {
  running = undefined
  for (const [user, [next, ...others]] of waiting) {
    waiting.delete(user)
    if (others.length > 0) waiting.set(user, others)
    if (next === undefined) continue
    running = next.turn
    next.begin()
    return
  }
}

/** A request that ended before its turn. */
function forget(user: number, turn: object): void {
  const left = (waiting.get(user) ?? []).filter((one) => one.turn !== turn)
  if (left.length > 0) waiting.set(user, left)
  else waiting.delete(user)
}
