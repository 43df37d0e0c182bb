import { lookup } from 'node:dns/promises'
import { isPublic } from '../lib/network'

/** Everything that fetching needs from the outside world. */
export interface Outside {
  /** The addresses of a host. Rejects if it has none. */
  resolve(host: string): Promise<readonly string[]>
  mayReach(address: string): boolean
  /** Monotonic milliseconds. */
  steady(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const internet: Outside = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  mayReach: isPublic,
  steady: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}
