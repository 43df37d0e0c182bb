import type { Log } from '../log'

/** A letter that is tried until it is delivered, refused for good or given up. */
export interface Delivery {
  /** Returns the wait that was offered where another try may help. */
  attempt(wait: number | undefined): Promise<number | undefined>
  tries: number
}

/** A letter that waits for another try. */
interface Retry {
  readonly delivery: Delivery
  readonly givenUp: AbortController
  isDue: boolean
}

/** How many letters wait for another try. */
const most = 200

/** The letters that wait for another try. One too many takes the place of the one that waits longest. */
export function createRetries(log: Log, pause: (wait: number, givenUp: AbortSignal) => Promise<void>) {
  const retries = new Set<Retry>()
  const pausing = new Set<Promise<void>>()

  const makeRoom = () => {
    const [oldest] = retries
    if (retries.size < most || oldest === undefined) return
    retries.delete(oldest)
    oldest.givenUp.abort()
    log('mail', { outcome: 'dropped', why: 'too many letters wait for another try' })
  }

  return {
    /** Calls `wake` when the letter is due. */
    add(delivery: Delivery, wait: number, wake: () => void): void {
      makeRoom()
      const retry: Retry = { delivery, givenUp: new AbortController(), isDue: false }
      retries.add(retry)
      const paused = pause(wait, retry.givenUp.signal).then(() => {
        pausing.delete(paused)
        retry.isDue = true
        if (retries.has(retry)) wake()
      })
      pausing.add(paused)
    },
    takeDue(): Delivery | undefined {
      const due = [...retries].find(({ isDue }) => isDue)
      if (due !== undefined) retries.delete(due)
      return due?.delivery
    },
    /** Resolves when all that wait now are due. */
    paused: async () => void (await Promise.all(pausing)),
  }
}
