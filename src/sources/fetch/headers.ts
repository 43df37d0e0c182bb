import { conditionsOf } from '../../fetching/validators'
import { isLoopback } from '../../lib/network'
import { version } from '../../version'
import type { SourceRequest } from '../source'
import { SourceRefused } from './refused'
import type { SourceFetchTools, SourceQuery } from './source-query'
import type { WebTarget } from './target'

/** Such as `kiroku/1.0.0 (+https://log.example; mio@example.com)`. A loopback address would be of no use to anybody. */
function userAgentOf({ baseUrl, contact }: Pick<SourceFetchTools, 'baseUrl' | 'contact'>): string {
  const address = isLoopback(new URL(baseUrl).hostname) ? [] : [`+${baseUrl}`]
  const about = [...address, ...(contact === undefined ? [] : [contact])].join('; ')
  return `kiroku/${version}${about === '' ? '' : ` (${about})`}`
}

/** Throws a `SourceRefused` if a required token is missing. */
export function headersOf(
  tools: Pick<SourceFetchTools, 'baseUrl' | 'contact'>,
  { request, options, target }: SourceQuery & { readonly target: WebTarget },
): (url: URL) => Record<string, string> {
  const { accept, json, hasToken = false } = request
  const { token, validators } = options
  if (hasToken && !isToken(token)) throw new SourceRefused('not_configured', 'needs a token')
  const headers = {
    'User-Agent': userAgentOf(tools),
    Accept: accept.join(', '),
    ...(json !== undefined && { 'Content-Type': 'application/json' }),
    ...(isConditional(request) && conditionsOf(validators)),
  }
  return ({ origin }) =>
    hasToken && origin === target.tokenOrigin ? { ...headers, Authorization: `Bearer ${token}` } : headers
}

/** RFC 6750 §2.1. */
const isToken = (token: string | null) => token !== null && /^[\w.~+/-]{1,2000}=*$/.test(token)

export const isConditional = ({ json, isUnconditional }: SourceRequest) =>
  json === undefined && isUnconditional !== true
