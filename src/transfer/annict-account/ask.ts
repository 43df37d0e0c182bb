import { connect } from '../../fetching/connect'
import type { Outside } from '../../fetching/outside'
import { readLimited } from '../../fetching/read-limited'
import { FetchRefused } from '../../fetching/refused'
import { AccountRefused } from './refused'

export interface Asking {
  readonly outside: Outside
  /** Such as `https://api.annict.com`. */
  readonly annictUrl: string
  readonly userAgent: string
  readonly token: string
  readonly signal: AbortSignal
  /** Time for one answer, from its first byte to its last. */
  readonly answerMs: number
}

/** The answer, or after how many milliseconds to ask again. */
export type Answer = { readonly json: unknown } | { readonly retryMs: number }

/** For a page of 50 with long comments. */
const maxBytes = 4 * 1024 * 1024

/** Sends one GraphQL request. Throws an `AccountRefused`; rejects with the reason of `signal` if that is aborted. */
export async function ask(asking: Asking, query: string, after: string | null): Promise<Answer> {
  const body = JSON.stringify({ query, variables: { after } })
  const signal = AbortSignal.any([asking.signal, AbortSignal.timeout(asking.answerMs)])
  try {
    const url = new URL(`${asking.annictUrl}/graphql`)
    const init = { method: 'POST', headers: headersOf(asking), body, signal }
    const response = await connect(asking.outside, url, init)
    try {
      return await answerOf(response)
    } finally {
      await response.body?.cancel().catch(() => {})
    }
  } catch (cause) {
    asking.signal.throwIfAborted()
    if (cause instanceof AccountRefused) throw cause
    if (signal.aborted) throw new AccountRefused('too_slow')
    throw refused(cause)
  }
}

const headersOf = ({ token, userAgent }: Asking): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  'User-Agent': userAgent,
  'Content-Type': 'application/json',
  Accept: 'application/json',
})

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response
  if (status >= 300 && status < 400) throw new AccountRefused('redirect')
  if (status === 401 || status === 403) throw new AccountRefused('wrong_token')
  if (status === 429 || status >= 500) return { retryMs: retryIn(headers.get('retry-after')) }
  const type = headers.get('content-type') ?? ''
  if (status !== 200 || !/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    throw new AccountRefused('no_answer')
  const bytes = await readLimited(response, maxBytes)
  return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
}

/** 30 s if the header is a date or missing. */
function retryIn(header: string | null): number {
  return /^\d{1,6}$/.test(header ?? '') ? Number(header) * 1000 : 30_000
}

function refused(cause: unknown): AccountRefused {
  if (!(cause instanceof FetchRefused)) return new AccountRefused('no_answer', { cause })
  return new AccountRefused(cause.why === 'too large' ? 'too_large' : 'unreachable', { cause })
}
