import { LRUCache } from 'lru-cache'
import type { Outside } from './outside'

/** Spaces the requests to each host, of all who share it. */
export interface HostPace {
  wait(outside: Outside, host: string, signal: AbortSignal): Promise<void>
  /** Nobody may contact the host for so many milliseconds. */
  hold(outside: Outside, host: string, ms: number): void
}

/** `betweenMs`: from the start of one request to that of the next. Remembers the 1,000 latest hosts. */
export function createPace(betweenMs: number): HostPace {
  /** When the next request may be sent, on the clock of `Outside.steady`. */
  const freeAt = new LRUCache<string, number>({ max: 1000 })
  const leftFor = (outside: Outside, host: string) => (freeAt.get(host) ?? 0) - outside.steady()
  return {
    wait: async (outside, host, signal) => {
      // Looks again after each wait: the host may have been held meanwhile.
      for (let ms = leftFor(outside, host); ms > 0; ms = leftFor(outside, host))
        await outside.sleep(ms, signal)
      freeAt.set(host, outside.steady() + betweenMs)
    },
    hold: (outside, host, ms) => {
      freeAt.set(host, Math.max(freeAt.get(host) ?? 0, outside.steady() + ms))
    },
  }
}
