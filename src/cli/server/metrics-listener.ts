import type { Settings } from '../../config'
import type { Metrics } from '../../metrics/metrics'
import { urlOf } from '../url'
import { listen } from './server'

export interface MetricsListener {
  readonly url: string
  stop(): Promise<void>
}

/** On a separate address: the main port never serves the metrics. Throws like `listen`. */
export function listenForScrapes(
  address: NonNullable<Settings['metrics']>,
  metrics: Metrics,
): MetricsListener {
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
