import type { Cache } from '../cache/cache'
import type { Metrics } from '../metrics/metrics'

type Usage = ReturnType<Cache<string, unknown>['usage']>

/** The keys are the caches' names in the metrics. */
export function measureCaches(
  { read }: Pick<Metrics, 'read'>,
  caches: Readonly<Record<string, { usage(): Usage }>>,
): void {
  const each = (figure: keyof Usage) => () =>
    Object.entries(caches).map(([cache, of]) => ({ labels: { cache }, value: of.usage()[figure] }))
  read('kiroku_cache_bytes', each('bytes'))
  read('kiroku_cache_capacity_bytes', each('capacity'))
  read('kiroku_cache_entries', each('entries'))
  read('kiroku_cache_hits_total', each('hits'))
  read('kiroku_cache_misses_total', each('misses'))
}
