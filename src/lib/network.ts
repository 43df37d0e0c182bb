import ipaddr from 'ipaddr.js'

/** Addresses that begin alike, as a CIDR such as 10.0.0.0/8 or 2001:db8::/32. */
export type Network = string

/** The network that a CIDR, or an address alone, stands for; undefined for what is neither. */
export function parseNetwork(text: string): Network | undefined {
  const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  return ipaddr.isValidCIDR(cidr) && isPlain(text.split('/')[0] ?? '') ? cidr : undefined
}

/** Whether an address belongs to a network; not for a text that is no address. */
export function isWithin(text: string, network: Network): boolean {
  const address = parse(text)
  const [start, length] = ipaddr.parseCIDR(network)
  return address?.kind() === start.kind() && address.match(start, length)
}

/** An address in its one form, an IPv4 address inside IPv6 as itself; undefined for a text that is none. */
export const addressOf = (text: string): string | undefined => parse(text)?.toString()

/**
 * Whose address counts as one: of IPv6 the first 64 bits, since whoever has one such address has all of them. A text
 * that is no address stands for itself.
 */
export function networkOf(text: string): string {
  const address = parse(text)
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? text
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`)}/64`
}

/** Whether a host, as a URL writes it, is this machine itself. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return /^(?:.+\.)?localhost$/i.test(bare) || parse(bare)?.range() === 'loopback'
}

/** Reads an address, once for as long as it is among the last there were: each request comes from one. */
function parse(text: string): Address | undefined {
  const known = lately.get(text)
  if (known !== undefined) return known
  if (!isPlain(text)) return undefined
  const address = ipaddr.process(text)
  if (lately.size >= 1000) lately.clear()
  lately.set(text, address)
  return address
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

const lately = new Map<string, Address>()

/** Four decimal numbers or an IPv6 address without a zone: `127.1` and `0x7f.1` are names, not addresses, to us. */
const isPlain = (text: string) =>
  text.includes(':')
    ? ipaddr.IPv6.isValid(text) && !text.includes('%')
    : ipaddr.IPv4.isValidFourPartDecimal(text)
