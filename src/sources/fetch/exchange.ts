import { connect } from '../../fetching/connect'
import type { Outside } from '../../fetching/outside'
import { FetchRefused } from '../../fetching/refused'
import { type Deadline, startDeadline } from './deadline'
import type { Limits } from './limits'
import { SourceRefused } from './refused'
import { allowedUrl, type WebTarget } from './target'

/** One request, with everything that its redirects need again. */
export interface Exchange {
  readonly outside: Outside
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly body: string | undefined
  headersFor(url: URL): Record<string, string>
  waitForTurn(host: string): Promise<void>
}

const maxRedirects = 5

/** Follows redirects within the declared hosts, each with its own time limits. Throws a `SourceRefused`. */
export async function exchange<T>(
  asking: Exchange,
  { url: first, origins }: WebTarget,
  use: (response: Response, deadline: Deadline) => Promise<T>,
): Promise<T> {
  let url = first
  for (let step = 0; step <= maxRedirects; step++) {
    await asking.waitForTurn(url.host)
    const answer = await askOnce(asking, url, async (response, deadline) => {
      const location = redirection(response)
      return location === undefined ? { used: await use(response, deadline) } : { location }
    })
    if ('used' in answer) return answer.used
    if (asking.body !== undefined) throw new SourceRefused('refused', 'redirects a POST, which would be lost')
    url = allowedUrl(answer.location, url, origins)
  }
  throw new SourceRefused('refused', 'too many redirects')
}

function redirection({ status, headers }: Response): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? (headers.get('location') ?? undefined) : undefined
}

async function askOnce<T>(
  { outside, limits, signal, body, headersFor }: Exchange,
  url: URL,
  use: (response: Response, deadline: Deadline) => Promise<T>,
): Promise<T> {
  using deadline = startDeadline(limits, signal)
  const init = { headers: headersFor(url), signal: deadline.signal, decompress: false }
  const response = await connect(
    outside,
    url,
    body === undefined ? init : { ...init, method: 'POST', body },
  ).catch((cause) => {
    deadline.signal.throwIfAborted()
    throw cause instanceof FetchRefused ? refusalOf(cause, url) : cause
  })
  try {
    deadline.headersCame()
    return await use(response, deadline)
  } finally {
    await response.body?.cancel().catch(() => {})
  }
}

const refusalOf = ({ why }: FetchRefused, { hostname }: URL) =>
  new SourceRefused(why === 'not a public address' ? 'refused' : 'unreachable', `${hostname}: ${why}`)
