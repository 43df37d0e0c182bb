import { connect } from './connect'
import { contentOf, encodings, received } from './content'
import { type FetchLimits, startDeadline } from './deadline'
import type { Outside } from './outside'
import { FetchRefused } from './refused'

/** What one use of other hosts may do. */
export interface OutgoingRules {
  /**
   * Decides which addresses may be reached. Undefined for hosts that whoever runs kiroku names: they may be anywhere,
   * also behind the system's proxy.
   */
  readonly outside: Outside | undefined
  /** How many are followed. With 0, a redirect is an answer like any other. */
  readonly redirects: number
  readonly limits: FetchLimits
  /** Throws for an address that this use may not contact, to which `from` redirects. */
  refuse?(url: URL, from: URL | undefined): void
  /** Resolves once the host may be contacted. */
  turn?(url: URL, signal: AbortSignal): Promise<void>
}

export interface OutgoingRequest {
  readonly url: string
  /** By default GET, or POST with a body. */
  readonly method?: string
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
  /** For the first address, and for each that it is redirected to. */
  headersFor(url: URL): Headers | Readonly<Record<string, string>>
  /** Aborts the request, with its reason. */
  readonly signal: AbortSignal
}

/** Whoever gets it disposes of it, read or not. Reading throws a `FetchRefused` or the reason of the request's signal. */
export interface OutgoingAnswer extends AsyncDisposable {
  /** After redirects. */
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  /** Decompressed. At most `maxBytes`, as received and as decompressed. */
  content(maxBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>>
  /** As received. */
  raw(maxBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>>
}

/**
 * The only way to other hosts: each address on the way is checked by the rules, and has its own turn and time limits.
 * Throws a `FetchRefused`, whatever the rules throw, or the reason of the request's signal.
 */
export async function send(rules: OutgoingRules, request: OutgoingRequest): Promise<OutgoingAnswer> {
  let url = allowed(rules, request.url, undefined)
  for (let followed = 0; ; followed++) {
    await rules.turn?.(url, request.signal)
    const answer = await exchange(rules, request, url)
    const location = rules.redirects === 0 ? undefined : redirection(answer)
    if (location === undefined) return answer
    await answer[Symbol.asyncDispose]()
    if (followed === rules.redirects) throw new FetchRefused('not_allowed', 'too many redirects')
    if (request.body !== undefined)
      throw new FetchRefused('not_allowed', 'redirects a POST, which would be lost')
    url = allowed(rules, location, url)
  }
}

function allowed(rules: OutgoingRules, text: string, from: URL | undefined): URL {
  const isOperators = rules.outside === undefined && from === undefined
  const url = isOperators ? parsed(text, from) : addressIn(text, from)
  rules.refuse?.(url, from)
  // Bun's fetch would also read file: URLs.
  if (!/^https?:$/.test(url.protocol)) throw new FetchRefused('not_allowed', 'neither http nor https')
  return url
}

/** Strips the fragment. Throws a `FetchRefused`, also for a name or password, which only an operator may write. */
export function addressIn(text: string, from?: URL): URL {
  const url = parsed(text, from)
  if (url.username !== '' || url.password !== '')
    throw new FetchRefused('not_allowed', 'a name or password in the address')
  return url
}

function parsed(text: string, from: URL | undefined): URL {
  const url = URL.parse(text, from?.href)
  if (url === null) throw new FetchRefused('not_allowed', 'no address')
  url.hash = ''
  return url
}

const redirection = ({ status, headers }: OutgoingAnswer) =>
  [301, 302, 303, 307, 308].includes(status) ? (headers.get('location') ?? undefined) : undefined

async function exchange(
  { outside, limits }: OutgoingRules,
  { method, body, headersFor, signal }: OutgoingRequest,
  url: URL,
): Promise<OutgoingAnswer> {
  const deadline = startDeadline(limits, signal)
  const headers = new Headers(headersFor(url))
  if (!headers.has('Accept-Encoding')) headers.set('Accept-Encoding', encodings)
  const init = {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    body: body ?? null,
    signal: deadline.signal,
  }
  try {
    const response = await connect(outside, url, init)
    deadline.headersCame()
    return {
      url,
      status: response.status,
      headers: response.headers,
      content: (maxBytes) => contentOf(response, { maxBytes, maxRatio: limits.maxRatio }, deadline),
      raw: (maxBytes) => received(response, maxBytes, deadline),
      [Symbol.asyncDispose]: async () => {
        deadline[Symbol.dispose]()
        await response.body?.cancel().catch(() => {})
      },
    }
  } catch (cause) {
    deadline[Symbol.dispose]()
    throw cause
  }
}

/** All of a content that fits into memory. */
export async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(Buffer.concat(await Array.fromAsync(content)))
}
