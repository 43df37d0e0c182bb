import type { Deps } from '../deps'
import { fullyDecoded, mask, maskSecrets, mayBeEncoded } from '../lib/masked'
import type { Metrics } from '../metrics/metrics'
import type { RequestContext } from './incoming'

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

/** Masks secrets (oauth.md §2.7) by parameter name and by format, anywhere in the URL, also percent-encoded. */
export function maskedUrl(url: string): string {
  const start = url.indexOf('/', 8)
  const target = start < 0 ? '/' : url.slice(start)
  if (!mayBeSecret.test(target)) return target
  const mark = target.indexOf('?')
  if (mark < 0) return maskedPart(target)
  const pairs = target.slice(mark + 1).split('&')
  return `${maskedPart(target.slice(0, mark))}?${pairs.map(maskedPart).join('&')}`
}

const maskedPart = (part: string): string => maskSecrets(withoutValue(part))

/** Masks everything after the first secret parameter's name. */
function withoutValue(part: string): string {
  const { text, starts } = mayBeEncoded(part) ? fullyDecoded(part) : { text: part, starts: undefined }
  const found = secretName.exec(text)
  if (found === null) return part
  const end = found.index + found[0].length
  return part.slice(0, starts === undefined ? end : starts[end]) + mask
}

/** Whether anything below may find something: most URLs need no closer look. */
const mayBeSecret = /%|kir_|token|code|secret|verifier|password|state|csrf|email|return_to|url=/i

/** return_to is itself a URL, which may contain any of the others. */
const secretName =
  /(?:^|[?&;#])[\s+]*(?:access_token|token|code|client_secret|code_verifier|device_code|user_code|password|state|csrf|email|return_to|url)\b[^=&;#]*=/i
