import { addressOf } from '../lib/network'
import type { Outside } from './outside'
import { FetchRefused } from './refused'

type Init = RequestInit & { readonly signal: AbortSignal }

/** One request without redirects. Throws a `FetchRefused`, or the reason of `init.signal`. */
export async function connect(outside: Outside | undefined, url: URL, init: Init): Promise<Response> {
  const plain = { ...init, redirect: 'manual', decompress: false } as const
  if (outside === undefined) return await attempt(url, () => fetch(url, plain), init.signal)
  const address = await checkedAddress(outside, url, init.signal)
  return await attempt(url, () => fetchAt(address, url, plain), init.signal)
}

async function attempt(url: URL, once: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  try {
    return await once()
  } catch (cause) {
    signal.throwIfAborted()
    throw new FetchRefused('unreachable', `unreachable: ${codeOf(cause)}`, { host: url.hostname, cause })
  }
}

/** Resolving the name again could give another address (DNS rebinding). The certificate must match the name. */
async function fetchAt(address: string, url: URL, init: RequestInit): Promise<Response> {
  const target = new URL(url)
  target.hostname = address.includes(':') ? `[${address}]` : address
  const headers = new Headers(init.headers)
  headers.set('Host', url.host)
  return await fetch(target, {
    ...init,
    headers,
    keepalive: false,
    proxy: false,
    tls: { serverName: url.hostname },
  })
}

/** Every address of the host must be allowed, not only the one used. */
async function checkedAddress(outside: Outside, url: URL, signal: AbortSignal): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const literal = addressOf(host)
  const addresses = literal === undefined ? await resolved(outside, host, signal) : [literal]
  const [first] = addresses
  if (first === undefined) throw unknownHost(host)
  if (!addresses.every((one) => outside.mayReach(one)))
    throw new FetchRefused('not_allowed', 'not a public address', { host: url.hostname })
  return first
}

async function resolved(outside: Outside, host: string, signal: AbortSignal): Promise<readonly string[]> {
  const late = Promise.withResolvers<never>()
  const onAbort = () => late.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([
      outside.resolve(host).catch(() => Promise.reject(unknownHost(host))),
      late.promise,
    ])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const unknownHost = (host: string) => new FetchRefused('unreachable', 'unknown host', { host })

const codeOf = (cause: unknown) =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
