import type { Deps } from '../deps'
import type { Metrics } from '../metrics/metrics'
import { maskedUrl } from './masked-url'
import type { RequestContext } from './request-context'

export interface AnsweredRequest {
  readonly request: Request
  /** As sent. */
  readonly url: string
  /** The template of its path; undefined if there is none. */
  readonly route: string | undefined
  readonly status: number
  readonly context: Pick<RequestContext, 'id' | 'peer' | 'startedAt' | 'caller'>
}

/** Logs each request in one line, and counts it if metrics are enabled. */
export function noteAnswer({ log, metrics }: Pick<Deps, 'log' | 'metrics'>, answered: AnsweredRequest): void {
  const { request, url, status, context } = answered
  const { id, peer, startedAt, caller } = context
  const took = performance.now() - startedAt
  if (metrics !== undefined) count(metrics, answered, took)
  const ms = Math.round(took * 10) / 10
  const facts = { id, peer, method: request.method, url: maskedUrl(url), status, ms }
  log('request', status === 403 ? { ...facts, ...caller } : facts)
}

/** By the route's template. */
function count(metrics: Metrics, { request, route, status }: AnsweredRequest, ms: number): void {
  const labels = { route: routeLabel(route), method: methods.get(request.method) ?? 'other' }
  metrics.count('kiroku_http_requests_total', { ...labels, code: String(status) })
  metrics.observe('kiroku_http_request_duration_seconds', ms / 1000, labels)
  const bytes = Number(request.headers.get('content-length') ?? 0)
  if (bytes > 0) metrics.count('kiroku_http_request_body_bytes_total', {}, bytes)
}

const methods = new Map(
  ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'].map((method) => [method, method]),
)

function routeLabel(route: string | undefined): string {
  if (route === undefined || route === '/*') return 'other'
  // There are some thirty assets, each with its own path.
  return route.startsWith('/assets/') ? '/assets/:name' : route
}
