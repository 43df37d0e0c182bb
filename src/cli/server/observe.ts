import type { Settings } from '../../config'
import type { WriterOptions } from '../../db/write'
import type { Deps } from '../../deps'
import type { Log } from '../../log'
import { countedLog } from '../../metrics/count-events'
import { createMetrics } from '../../metrics/create-metrics'
import type { Metrics } from '../../metrics/metrics'
import type { Listener } from './listener'
import { measureGroups, measureServer } from './measure'
import { listenForScrapes, type MetricsListener } from './metrics-listener'
import { type OpenLog, openLog } from './open-log'
import { slowQueryWatch } from './slow-queries'

export interface Observers {
  readonly log: Log
  readonly finishLog: OpenLog['finish']
  readonly metrics: Metrics | undefined
  readonly ofStore: Pick<WriterOptions, 'queries' | 'onGroup'>
}

/** The log, plus the metrics if they are enabled. */
export async function createObservers(serverSettings: Settings, now: () => number): Promise<Observers> {
  const metrics = serverSettings.metrics === null ? undefined : await createMetrics()
  const opened = openLog(serverSettings, now)
  const log = metrics === undefined ? opened.log : countedLog(opened.log, metrics)
  const queries = slowQueryWatch(serverSettings.slowQuery, log)
  return {
    log,
    finishLog: opened.finish,
    metrics,
    ofStore: { queries, onGroup: metrics && measureGroups(metrics) },
  }
}

/** Undefined without metrics. Throws a `Failure` if it cannot listen on the address. */
export function serveMetrics(deps: Deps, listener: Listener): MetricsListener | undefined {
  const { metrics, config } = deps
  if (metrics === undefined || config.metrics === null) return undefined
  measureServer(metrics, deps, listener)
  return listenForScrapes(config.metrics, metrics)
}
