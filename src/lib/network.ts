import ipaddr from 'ipaddr.js'

export type Network = string

/** Parses a CIDR or a single address; undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  return ipaddr.isValidCIDR(cidr) && isPlain(text.split('/')[0] ?? '') ? cidr : undefined
}

export function isWithin(text: string, network: Network): boolean {
  const address = parseAddress(text)
  const [start, length] = ipaddr.parseCIDR(network)
  return address?.kind() === start.kind() && address.match(start, length)
}

/** The canonical form; undefined if it is not an address. */
export const addressOf = (text: string): string | undefined => parseAddress(text)?.toString()

/** The unit of rate limits: an IPv4 address or the /64 of an IPv6 one; any other text unchanged. */
export function networkOf(text: string): string {
  const address = parseAddress(text)
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? text
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`)}/64`
}

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return /^(?:.+\.)?localhost$/i.test(bare) || parseAddress(bare)?.range() === 'loopback'
}

/** On the public internet: outside all blocks of IANA's special-purpose registries, and no tunnel to another address. */
export function isPublic(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined) return false
  const isIn = (network: Network) => isWithin(text, network)
  return (address.kind() === 'ipv4' || isIn('2000::/3')) && !special.some(isIn)
}

/**
 * https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry, those that are reachable
 * included: no catalogue is there. All other IPv6 special blocks are outside 2000::/3.
 */
const special: readonly Network[] = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
  ],
  ...['192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Azure's service for its virtual machines.
  '168.63.129.16/32',
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
]

function parseAddress(text: string): Address | undefined {
  const known = addressCache.get(text)
  if (known !== undefined) return known
  if (!isPlain(text)) return undefined
  const address = ipaddr.process(text)
  if (addressCache.size >= 1000) addressCache.clear()
  addressCache.set(text, address)
  return address
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

const addressCache = new Map<string, Address>()

/** Four decimal numbers, or IPv6 without a zone; not `127.1` or `0x7f.1`. */
const isPlain = (text: string) =>
  text.includes(':')
    ? ipaddr.IPv6.isValid(text) && !text.includes('%')
    : ipaddr.IPv4.isValidFourPartDecimal(text)
