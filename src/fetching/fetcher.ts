import { LRUCache } from 'lru-cache'
import { connect } from './connect'
import type { Outside } from './outside'
import { readLimited } from './read-limited'
import { FetchRefused } from './refused'
import { forbidsAll } from './robots'

export interface Asked {
  /** The accepted media types, also sent as `Accept`. */
  readonly types: readonly string[]
  /** Counted after decompression. */
  readonly maxBytes: number
  /** The validators of the last answer, for a conditional request. */
  readonly known?: Validators | undefined
}

export interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

export interface Document extends Validators {
  /** The final URL, after redirects. */
  readonly url: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Fetches documents from other hosts, for covers. */
export interface Fetcher {
  /** Undefined if it has not changed. Throws `FetchRefused`. */
  get(url: string, asked: Asked): Promise<Document | undefined>
  /** Aborts the current request and refuses later ones. */
  stop(): void
}

/** `userAgent` says where to find this instance. One request at a time, and at most one every 2 s per host. */
export function createFetcher(outside: Outside, userAgent: string): Fetcher {
  const stopping = new AbortController()
  const asking: Asking = {
    outside,
    userAgent,
    askedAt: new LRUCache({ max: 1000 }),
    forbidden: new LRUCache({ max: 500 }),
  }
  let last: Promise<unknown> = Promise.resolve()
  const get = (url: string, asked: Asked) => {
    const turn = last.then(() => getWithin(asking, url, asked, stopping.signal))
    last = turn.catch(() => {})
    return turn
  }
  return { get, stop: () => stopping.abort() }
}

interface Asking {
  readonly outside: Outside
  readonly userAgent: string
  /** When a request to each host was last made, by `Outside.steady`. */
  readonly askedAt: LRUCache<string, number>
  /** What robots.txt of each origin says, and when it was read. */
  readonly forbidden: LRUCache<string, { readonly isForbidden: boolean; readonly at: number }>
}

const wholeMs = 15_000
const betweenMs = 2000
const robotsMs = 86_400_000
const maxRedirects = 5

async function getWithin(asking: Asking, url: string, asked: Asked, stopping: AbortSignal) {
  if (stopping.aborted) throw new FetchRefused('stopping')
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(wholeMs)])
  try {
    return await getDocument(asking, url, asked, signal)
  } catch (cause) {
    if (stopping.aborted) throw new FetchRefused('stopping')
    throw cause instanceof FetchRefused
      ? cause
      : new FetchRefused(signal.aborted ? 'took too long' : String(cause))
  }
}

async function getDocument(asking: Asking, url: string, asked: Asked, signal: AbortSignal) {
  const { response, url: reached } = await follow(
    asking,
    url,
    { headers: headersFor(asking, asked), signal },
    true,
  )
  try {
    if (response.status === 304 && asked.known !== undefined) return undefined
    if (response.status !== 200) throw new FetchRefused(`status ${response.status}`)
    const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    if (!asked.types.includes(type)) throw new FetchRefused('another media type')
    const bytes = await readLimited(response, asked.maxBytes)
    const [etag, lastModified] = [response.headers.get('etag'), response.headers.get('last-modified')]
    return { url: reached.href, bytes, etag, lastModified }
  } finally {
    await response.body?.cancel().catch(() => {})
  }
}

const headersFor = ({ userAgent }: Asking, { types, known }: Asked): Record<string, string> => ({
  'User-Agent': userAgent,
  Accept: types.join(', '),
  ...conditionsOf(known),
})

/** The headers of a conditional request; none if there are no validators. */
export const conditionsOf = (known: Validators | null | undefined) => ({
  ...(known?.etag && { 'If-None-Match': known.etag }),
  ...(known?.lastModified && { 'If-Modified-Since': known.lastModified }),
})

/** Every redirect is checked like the first request. */
async function follow(
  asking: Asking,
  start: string,
  init: RequestInit & { signal: AbortSignal },
  obeysRobots: boolean,
) {
  let url = parsed(start)
  for (let step = 0; step <= maxRedirects; step++) {
    if (obeysRobots && (await isForbidden(asking, url, init.signal))) throw new FetchRefused('robots.txt')
    await waitForTurn(asking, url.host, init.signal)
    const response = await connect(asking.outside, url, init)
    const location = response.headers.get('location')
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return { response, url }
    await response.body?.cancel().catch(() => {})
    url = parsed(location, url)
  }
  throw new FetchRefused('too many redirects')
}

function parsed(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url === null) throw new FetchRefused('no address')
  if (!/^https?:$/.test(url.protocol)) throw new FetchRefused('neither http nor https')
  if (url.username !== '' || url.password !== '') throw new FetchRefused('a name or password in the address')
  url.hash = ''
  return url
}

async function waitForTurn({ outside, askedAt }: Asking, host: string, signal: AbortSignal): Promise<void> {
  const since = outside.steady() - (askedAt.get(host) ?? Number.NEGATIVE_INFINITY)
  if (since < betweenMs) await outside.sleep(betweenMs - since, signal)
  askedAt.set(host, outside.steady())
}

/** A server whose robots.txt fails is left alone (RFC 9309 §2.3.1.4); one without robots.txt is not. */
async function isForbidden(asking: Asking, url: URL, signal: AbortSignal): Promise<boolean> {
  const { outside, forbidden, userAgent } = asking
  const known = forbidden.get(url.origin)
  if (known !== undefined && outside.steady() - known.at < robotsMs) return known.isForbidden
  const init = { headers: { 'User-Agent': userAgent }, signal }
  const { response } = await follow(asking, `${url.origin}/robots.txt`, init, false)
  const { status } = response
  const text =
    status === 200 ? await readLimited(response, robotsBytes).catch(() => new Uint8Array()) : undefined
  await response.body?.cancel().catch(() => {})
  const isForbidden = text === undefined ? status >= 500 : forbidsAll(new TextDecoder().decode(text))
  forbidden.set(url.origin, { isForbidden, at: outside.steady() })
  return isForbidden
}

const robotsBytes = 500 * 1024
