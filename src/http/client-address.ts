import type { Deps } from '../deps'
import { addressOf, isWithin, type Network } from '../lib/network'

/** Reads X-Forwarded-For from its end, up to the first untrusted hop: what comes before can be forged (ASVS 4.1.3). */
export function clientAddress(request: Request, peer: string, trusted: readonly Network[]): string {
  let client = addressOf(peer) ?? peer
  const isTrusted = (address: string) => trusted.some((network) => isWithin(address, network))
  if (!isTrusted(client)) return client
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',')
  for (const hop of hops.reverse()) {
    const before = addressOf(withoutPort(hop.trim()))
    if (before === undefined) return client
    client = before
    if (!isTrusted(client)) return client
  }
  return client
}

/** The id that a trusted proxy sent, so that its log and ours name a request alike; else a new one. */
export function requestId(
  request: Request,
  peer: string,
  { config, random }: Pick<Deps, 'config' | 'random'>,
): string {
  const given = request.headers.get('x-request-id')
  const isUsable = given !== null && /^[\w.:/+=@-]{1,100}$/.test(given)
  return isUsable && isTrustedPeer(peer, config.trustedProxies)
    ? given
    : random(9).toBase64({ alphabet: 'base64url' })
}

function isTrustedPeer(peer: string, trusted: readonly Network[]): boolean {
  const address = addressOf(peer) ?? peer
  return trusted.some((network) => isWithin(address, network))
}

/** Strips the port of `192.0.2.1:1234` and `[2001:db8::1]:1234`, which some proxies send. */
const withoutPort = (hop: string) =>
  hop.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
