import type { Log } from '../log'

export interface Delivery {
  /** Returns `wait` if a retry may help. */
  attempt(wait: number | undefined): Promise<number | undefined>
  tries: number
}

interface Retry {
  readonly delivery: Delivery
  readonly givenUp: AbortController
  isDue: boolean
}

const maxRetries = 200

/** Letters waiting for a retry. When full, the oldest is dropped. */
export function createRetries(log: Log, pause: (wait: number, givenUp: AbortSignal) => Promise<void>) {
  const retries = new Set<Retry>()
  const pausing = new Set<Promise<void>>()

  const dropOldest = () => {
    const [oldest] = retries
    if (retries.size < maxRetries || oldest === undefined) return
    retries.delete(oldest)
    oldest.givenUp.abort()
    log('mail', { outcome: 'dropped', why: 'too many e-mails are waiting for a retry' })
  }

  return {
    add(delivery: Delivery, wait: number, wake: () => void): void {
      dropOldest()
      const retry: Retry = { delivery, givenUp: new AbortController(), isDue: false }
      retries.add(retry)
      const paused = pause(wait, retry.givenUp.signal).then(() => {
        pausing.delete(paused)
        retry.isDue = true
        if (retries.has(retry)) wake()
      })
      pausing.add(paused)
    },
    count: () => retries.size,
    takeDue(): Delivery | undefined {
      const due = [...retries].find(({ isDue }) => isDue)
      if (due !== undefined) retries.delete(due)
      return due?.delivery
    },
    /** Resolves when all letters waiting now are due. */
    paused: async () => void (await Promise.all(pausing)),
  }
}
