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

/** On the public internet: not private, loopback, link-local, shared (RFC 6598), mapped, tunnelled or reserved. */
export const isPublic = (address: string): boolean => parseAddress(address)?.range() === 'unicast'

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
