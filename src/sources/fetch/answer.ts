import type { OutgoingAnswer } from '../../fetching/send'
import { isConditional } from './headers'
import { keepContent } from './keep'
import { SourceRefused } from './refused'
import type { Fetched, SourceQuery } from './source-query'

export interface Busy {
  readonly kind: 'busy'
  readonly status: number
  /** The waiting time that the source asks for. */
  readonly retryMs: number | undefined
}

/** Keeps the content of an answer. Throws a `SourceRefused`, a `FetchRefused`, or whatever `keep` throws. */
export async function answerOf(
  answer: OutgoingAnswer,
  { source, request, options }: SourceQuery,
  now: number,
): Promise<Fetched | Busy> {
  const { status, headers } = answer
  if (status === 429 || status === 503)
    return { kind: 'busy', status, retryMs: retryAfter(headers.get('retry-after'), now) }
  if (status === 304 && isConditional(request) && options.validators !== null) return { kind: 'unmodified' }
  if (status === 401 && request.hasToken)
    throw new SourceRefused('not_configured', 'status 401: the token is not accepted')
  if (status !== 200) throw new SourceRefused(kindOf(status), `status ${status}`)
  refuseType(headers.get('content-type'), request.accept)
  const bytes = await keepContent(answer.content(source.maxBytes), options.keep)
  return {
    kind: 'answer',
    bytes,
    etag: short(headers.get('etag')),
    lastModified: short(headers.get('last-modified')),
  }
}

/** Milliseconds from `now`, at least 0, from seconds or an HTTP date (RFC 9110 §10.2.3). Undefined for anything else. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  if (!/^[A-Z][a-z]{2,8},? /.test(header)) return undefined
  // Only the oldest format has no zone.
  const at = Date.parse(header.endsWith(' GMT') ? header : `${header} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

function kindOf(status: number) {
  if (status >= 500) return 'unreachable'
  return status >= 400 ? 'refused' : 'not_understood'
}

/** Without a type it may be any file (RFC 9110 §8.3). */
function refuseType(header: string | null, accepted: readonly string[]): void {
  const type = (header ?? 'application/octet-stream').split(';')[0]?.trim().toLowerCase() ?? ''
  if (accepted.includes(type)) return
  throw new SourceRefused(
    'not_understood',
    `the answer is ${type.slice(0, 100)}, not ${accepted.join(' or ')}`,
  )
}

/** Nobody sends validators longer than that. */
const short = (header: string | null) => (header !== null && header.length <= 1000 ? header : null)
