import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { requestContext } from './request-context'

/** Counts each request by its route's template. Adds nothing if metrics are off. */
export function requestMetrics(deps: Deps) {
  const { metrics } = deps
  const plugin = new Elysia({ name: 'request-metrics' }).use(requestContext(deps))
  if (metrics === undefined) return plugin
  return plugin.mapResponse({ as: 'global' }, ({ route, request, responseValue, context }) => {
    const labels = { route: routeLabel(route), method: methods.get(request.method) ?? 'other' }
    const { status } = responseValue as Response
    const seconds = (performance.now() - context.startedAt) / 1000
    metrics.count('kiroku_http_requests_total', { ...labels, code: String(status) })
    metrics.observe('kiroku_http_request_duration_seconds', seconds, labels)
    const bytes = Number(request.headers.get('content-length') ?? 0)
    if (bytes > 0) metrics.count('kiroku_http_request_body_bytes_total', {}, bytes)
  })
}

const methods = new Map(
  ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'].map((method) => [method, method]),
)

function routeLabel(route: string | undefined): string {
  if (route === undefined || route === '/*') return 'other'
  // There are some thirty assets, each with its own path.
  return route.startsWith('/assets/') ? '/assets/:name' : route
}
