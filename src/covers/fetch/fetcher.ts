import { LRUCache } from 'lru-cache'
import type { Outside } from '../../fetching/outside'
import { createPace, type HostPace } from '../../fetching/pace'
import { FetchRefused } from '../../fetching/refused'
import { bytesOf, type OutgoingAnswer, type OutgoingRules, send } from '../../fetching/send'
import { conditionsOf, type Validators } from '../../fetching/validators'

export interface DocumentRequest {
  /** The accepted media types, also sent as `Accept`. */
  readonly types: readonly string[]
  readonly maxBytes: number
  /** The validators of the last answer, for a conditional request. */
  readonly known?: Validators | undefined
}

export interface FetchedDocument extends Validators {
  /** The final URL, after redirects. */
  readonly url: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Fetches documents from any public host. */
export interface Fetcher {
  /** Undefined if it has not changed. Throws `FetchRefused`. */
  get(url: string, wanted: DocumentRequest): Promise<FetchedDocument | undefined>
  /** Aborts the current request and refuses later ones. */
  stop(): void
}

/** `userAgent` says where to find this instance. One request at a time, and at most one every 2 s per host. */
export function createFetcher(outside: Outside, userAgent: string): Fetcher {
  const stopping = new AbortController()
  const site: Site = { outside, userAgent, pace: createPace(2000), forbidden: new LRUCache({ max: 500 }) }
  let last: Promise<unknown> = Promise.resolve()
  const get = (url: string, wanted: DocumentRequest) => {
    const turn = last.then(() => getWithin(site, url, wanted, stopping.signal))
    last = turn.catch(() => {})
    return turn
  }
  return { get, stop: () => stopping.abort() }
}

/** How this instance visits the sites of others. */
interface Site {
  readonly outside: Outside
  readonly userAgent: string
  readonly pace: HostPace
  /** What robots.txt of each origin says, and when it was read. */
  readonly forbidden: LRUCache<string, { readonly isForbidden: boolean; readonly at: number }>
}

/** Of a document in all, with robots.txt, redirects and waiting for its turn. */
const wholeMs = 15_000
const robotsMs = 86_400_000
const robotsBytes = 500 * 1024

async function getWithin(site: Site, url: string, wanted: DocumentRequest, stopping: AbortSignal) {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(wholeMs)])
  try {
    stopping.throwIfAborted()
    return await getDocument(site, url, wanted, signal)
  } catch (cause) {
    if (stopping.aborted) throw new FetchRefused('unreachable', 'stopping')
    if (cause instanceof FetchRefused && cause.problem === 'too_large')
      throw new FetchRefused('too_large', 'too large')
    const isLate = signal.aborted || (cause instanceof FetchRefused && cause.problem === 'too_slow')
    throw isLate ? new FetchRefused('too_slow', 'took too long') : cause
  }
}

async function getDocument(site: Site, url: string, wanted: DocumentRequest, signal: AbortSignal) {
  const headers = {
    'User-Agent': site.userAgent,
    Accept: wanted.types.join(', '),
    ...conditionsOf(wanted.known),
  }
  const rules: OutgoingRules = {
    ...rulesFor(site),
    turn: async (address, until) => {
      if (await isForbidden(site, address, until)) throw new FetchRefused('not_allowed', 'robots.txt')
      await site.pace.wait(site.outside, address.host, until)
    },
  }
  await using answer = await send(rules, { url, headersFor: () => headers, signal })
  if (answer.status === 304 && wanted.known !== undefined) return undefined
  return await documentIn(answer, wanted)
}

function rulesFor({ outside, pace }: Site): OutgoingRules {
  return {
    outside,
    redirects: 5,
    limits: { wholeMs },
    turn: ({ host }, signal) => pace.wait(outside, host, signal),
  }
}

async function documentIn(answer: OutgoingAnswer, { types, maxBytes }: DocumentRequest) {
  const { status, headers } = answer
  if (status !== 200) throw new FetchRefused('unreachable', `status ${status}`)
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (!types.includes(type)) throw new FetchRefused('not_allowed', 'another media type')
  const bytes = await bytesOf(answer.content(maxBytes))
  return {
    url: answer.url.href,
    bytes,
    etag: headers.get('etag'),
    lastModified: headers.get('last-modified'),
  }
}

/** A server whose robots.txt fails is left alone (RFC 9309 §2.3.1.4); one without robots.txt is not. */
async function isForbidden(site: Site, { origin }: URL, signal: AbortSignal): Promise<boolean> {
  const { outside, forbidden, userAgent } = site
  const known = forbidden.get(origin)
  if (known !== undefined && outside.steady() - known.at < robotsMs) return known.isForbidden
  const headersFor = () => ({ 'User-Agent': userAgent })
  await using answer = await send(rulesFor(site), { url: `${origin}/robots.txt`, headersFor, signal })
  const { status } = answer
  const text =
    status === 200 ? await bytesOf(answer.content(robotsBytes)).catch(() => new Uint8Array()) : undefined
  const isForbidden = text === undefined ? status >= 500 : forbidsAll(new TextDecoder().decode(text))
  forbidden.set(origin, { isForbidden, at: outside.steady() })
  return isForbidden
}

/** Whether robots.txt bars everybody, or us, by a plain `Disallow: /` (RFC 9309); ignores rules about paths. */
export function forbidsAll(text: string): boolean {
  const groups: { readonly agents: string[]; readonly rules: string[] }[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? []
    const current = groups.at(-1)
    if (/^user-agent$/i.test(name)) {
      if (current === undefined || current.rules.length > 0)
        groups.push({ agents: [value.toLowerCase()], rules: [] })
      else current.agents.push(value.toLowerCase())
    } else if (/^(?:dis)?allow$/i.test(name)) current?.rules.push(`${name.toLowerCase()} ${value}`)
  }
  const own = groups.filter(({ agents }) => agents.includes('kiroku'))
  const ours = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = ours.flatMap((group) => group.rules)
  return rules.includes('disallow /') && !rules.includes('allow /')
}
