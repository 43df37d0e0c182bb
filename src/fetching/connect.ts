import { addressOf } from '../lib/network'
import type { Outside } from './outside'
import { FetchRefused } from './refused'

/**
 * One request without redirects, to a checked address: resolving the name again could give another one (DNS
 * rebinding). The certificate must match the name.
 */
export async function connect(outside: Outside, url: URL, init: RequestInit): Promise<Response> {
  const address = await addressFor(outside, url, init.signal ?? new AbortController().signal)
  const target = new URL(url)
  target.hostname = address.includes(':') ? `[${address}]` : address
  const headers = new Headers(init.headers)
  headers.set('Host', url.host)
  const tls = { serverName: url.hostname }
  try {
    return await fetch(target, { ...init, headers, redirect: 'manual', keepalive: false, proxy: '', tls })
  } catch (cause) {
    throw new FetchRefused(init.signal?.aborted ? 'took too long' : `unreachable: ${codeOf(cause)}`)
  }
}

/** Every address of the host must be public, not only the one used. */
async function addressFor(outside: Outside, url: URL, signal: AbortSignal): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const literal = addressOf(host)
  const addresses = literal === undefined ? await resolved(outside, host, signal) : [literal]
  const [first] = addresses
  if (first === undefined) throw new FetchRefused('unknown host')
  if (!addresses.every((one) => outside.mayReach(one))) throw new FetchRefused('not a public address')
  return first
}

async function resolved(outside: Outside, host: string, signal: AbortSignal): Promise<readonly string[]> {
  const late = Promise.withResolvers<never>()
  const onAbort = () => late.reject(new FetchRefused('took too long'))
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([
      outside.resolve(host).catch(() => Promise.reject(new FetchRefused('unknown host'))),
      late.promise,
    ])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const codeOf = (cause: unknown) =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
