import { LRUCache } from 'lru-cache'
import { addressOf, isWithin, type Network } from '../lib/network'

/** Who is at the other end of a connection: a client, or a trusted proxy. */
export interface Peer {
  /** In its canonical form. */
  readonly address: string
  readonly isTrusted: boolean
}

/** Keeps the latest, as many requests come from few. */
export function peersOf(trusted: readonly Network[], capacity = 1000): (peer: string) => Peer {
  const known = new LRUCache<string, Peer>({ max: capacity })
  return (peer) => {
    const found = known.get(peer)
    if (found !== undefined) return found
    const address = addressOf(peer) ?? peer
    const read = { address, isTrusted: isTrustedAddress(address, trusted) }
    known.set(peer, read)
    return read
  }
}

/** Reads X-Forwarded-For from its end, up to the first untrusted hop: what comes before can be forged (ASVS 4.1.3). */
export function clientAddress(
  request: Request,
  { address, isTrusted }: Peer,
  trusted: readonly Network[],
): string {
  let client = address
  if (!isTrusted) return client
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',')
  for (const hop of hops.reverse()) {
    const before = addressOf(withoutPort(hop.trim()))
    if (before === undefined) return client
    client = before
    if (!isTrustedAddress(client, trusted)) return client
  }
  return client
}

const isTrustedAddress = (address: string, trusted: readonly Network[]) =>
  trusted.some((network) => isWithin(address, network))

/** Strips the port of `192.0.2.1:1234` and `[2001:db8::1]:1234`, which some proxies send. */
const withoutPort = (hop: string) =>
  hop.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')

/** The id that a trusted proxy sent, so that its log and ours name a request alike; else a new one. */
export function requestIds(
  random: (length: number) => Uint8Array<ArrayBuffer>,
): (request: Request, peer: Peer) => string {
  let pool = new Uint8Array()
  let used = 0
  return ({ headers }, { isTrusted }) => {
    const given = isTrusted ? headers.get('x-request-id') : null
    if (given !== null && /^[\w.:/+=@-]{1,100}$/.test(given)) return given
    if (used >= pool.length) {
      pool = random(poolBytes)
      used = 0
    }
    used += idBytes
    return pool.subarray(used - idBytes, used).toBase64({ alphabet: 'base64url' })
  }
}

const idBytes = 9
const poolBytes = 512 * idBytes
