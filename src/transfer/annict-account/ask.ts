import type { Outside } from '../../fetching/outside'
import type { HostPace } from '../../fetching/pace'
import { type FetchProblem, FetchRefused } from '../../fetching/refused'
import { bytesOf, type OutgoingAnswer, type OutgoingRules, send } from '../../fetching/send'
import { type AccountProblem, AccountRefused } from './refused'

export interface AccountRequests {
  readonly outside: Outside
  /** Such as `https://api.annict.com`. */
  readonly annictUrl: string
  readonly userAgent: string
  readonly token: string
  readonly signal: AbortSignal
  readonly pace: HostPace
  /** Time for one answer, from its first byte to its last. */
  readonly answerMs: number
}

/** The answer, or after how many milliseconds to ask that host again. */
export type PageAnswer = { readonly json: unknown } | { readonly retryMs: number; readonly host: string }

/** For a page of 50 with long comments. */
const maxBytes = 4 * 1024 * 1024

/** Sends one GraphQL request. Throws an `AccountRefused`; rejects with the reason of `signal` if that is aborted. */
export async function ask(asking: AccountRequests, query: string, after: string | null): Promise<PageAnswer> {
  const { annictUrl, outside, pace, answerMs, signal } = asking
  const rules: OutgoingRules = {
    outside,
    redirects: 0,
    limits: { wholeMs: answerMs },
    turn: ({ host }) => pace.wait(outside, host, signal),
  }
  const url = `${annictUrl}/graphql`
  const body = JSON.stringify({ query, variables: { after } })
  try {
    await using answer = await send(rules, { url, body, headersFor: () => headersOf(asking), signal })
    return await answerOf(answer)
  } catch (cause) {
    signal.throwIfAborted()
    throw cause instanceof AccountRefused ? cause : refused(cause)
  }
}

const headersOf = ({ token, userAgent }: AccountRequests): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  'User-Agent': userAgent,
  'Content-Type': 'application/json',
  Accept: 'application/json',
})

async function answerOf(answer: OutgoingAnswer): Promise<PageAnswer> {
  const { status, headers } = answer
  if (status >= 300 && status < 400) throw new AccountRefused('redirect')
  if (status === 401 || status === 403) throw new AccountRefused('wrong_token')
  if (status === 429 || status >= 500)
    return { retryMs: retryIn(headers.get('retry-after')), host: answer.url.host }
  const type = headers.get('content-type') ?? ''
  if (status !== 200 || !/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
    throw new AccountRefused('no_answer')
  const bytes = await bytesOf(answer.content(maxBytes))
  return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
}

/** 30 s if the header is a date or missing. */
function retryIn(header: string | null): number {
  return /^\d{1,6}$/.test(header ?? '') ? Number(header) * 1000 : 30_000
}

const refused = (cause: unknown): AccountRefused =>
  new AccountRefused(cause instanceof FetchRefused ? problems[cause.problem] : 'no_answer', { cause })

const problems: Readonly<Record<FetchProblem, AccountProblem>> = {
  not_allowed: 'unreachable',
  unreachable: 'unreachable',
  too_slow: 'too_slow',
  broke_off: 'no_answer',
  too_large: 'too_large',
  damaged: 'no_answer',
}
