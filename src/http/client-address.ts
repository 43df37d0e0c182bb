import { addressOf, isWithin, type Network } from '../lib/network'

/**
 * The address a request came from. Each proxy writes at the end of X-Forwarded-For whom it was asked by, so the header
 * is read from its end, and only for as long as the one who wrote is trusted: what stands further left anybody can have
 * made up (ASVS 4.1.3).
 */
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

/** `192.0.2.1:1234` and `[2001:db8::1]:1234`, as some proxies write. */
const withoutPort = (hop: string) =>
  hop.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
