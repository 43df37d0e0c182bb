import { addressOf, isWithin, type Network } from '../lib/network'

/** X-Forwarded-For is read from its end, up to the first untrusted hop: all before can be forged (ASVS 4.1.3). */
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

/** Strips the port of `192.0.2.1:1234` and `[2001:db8::1]:1234`, which some proxies send. */
const withoutPort = (hop: string) =>
  hop.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
