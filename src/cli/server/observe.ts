import { LRUCache } from 'lru-cache'
import type { Settings } from '../../config'
import type { QueryWatch } from '../../db/watching'
import type { WriterOptions } from '../../db/write'
import type { Deps } from '../../deps'
import type { Log } from '../../log'
import { countedLog } from '../../metrics/count-events'
import { createMetrics } from '../../metrics/create-metrics'
import type { Metrics } from '../../metrics/metrics'
import { urlOf } from '../url'
import type { Listener } from './listener'
import { measureGroups, measureServer } from './measure'
import { type OpenLog, openLog } from './open-log'
import { listen } from './server'

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

/** Undefined without metrics. Throws a `Failure` if it cannot listen on the address. */
export function serveMetrics(deps: Deps, listener: Listener): MetricsListener | undefined {
  const { metrics, config } = deps
  if (metrics === undefined || config.metrics === null) return undefined
  measureServer(metrics, deps, listener)
  return listenForScrapes(config.metrics, metrics)
}

interface MetricsListener {
  readonly url: string
  stop(): Promise<void>
}

/** On a separate address: the main port never serves the metrics. Throws like `listen`. */
function listenForScrapes(address: NonNullable<Settings['metrics']>, metrics: Metrics): MetricsListener {
  const server = listen(address, (request) => answerScrape(request, metrics))
  return {
    url: `${urlOf(address.host, server.port ?? address.port)}/metrics`,
    stop: () => server.stop(true),
  }
}

async function answerScrape(request: Request, metrics: Metrics): Promise<Response> {
  if (!/^https?:\/\/[^/]*\/metrics(?:\?|$)/.test(request.url))
    return refusal(404, 'There is only /metrics here.')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refusal(405, 'This path answers GET and HEAD.', { Allow: 'GET, HEAD' })
  const accept = request.headers.get('accept') ?? ''
  const { type, text } = await metrics.text(accept.includes('application/openmetrics-text'))
  return new Response(text, { headers: { ...headers, 'Content-Type': type } })
}

const refusal = (status: number, text: string, more: Readonly<Record<string, string>> = {}) =>
  new Response(`${text}\n`, { status, headers: { ...headers, ...more } })

const headers = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
}
