import { LRUCache } from 'lru-cache'
import type { QueryWatch } from '../../db/watching'
import type { Log } from '../../log'

const minute = 60_000

/** Logs at most one line a minute per query, and `mostLines` a minute in all; undefined if it is turned off. */
export function slowQueryWatch(
  slowMs: number | null,
  log: Log,
  steady: () => number = () => performance.now(),
): QueryWatch | undefined {
  if (slowMs === null) return undefined
  const toldAt = new LRUCache<string, number>({ max: 200 })
  let lines: number[] = []
  return {
    slowMs,
    slow: (sql, milliseconds) => {
      const now = steady()
      lines = lines.filter((at) => now - at < minute)
      if (lines.length >= mostLines || now - (toldAt.get(sql) ?? Number.NEGATIVE_INFINITY) < minute) return
      toldAt.set(sql, now)
      lines.push(now)
      log('slow_query', { ms: Math.round(milliseconds), sql: sql.replaceAll(/\s+/g, ' ') })
    },
  }
}

const mostLines = 20
