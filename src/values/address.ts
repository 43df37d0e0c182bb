import Type from 'typebox'
import { type Network, parseNetwork } from '../lib/network'
import type { Message } from '../messages/languages'
import { anyText, matching } from './text'
import { checked, InvalidValue, mapped, type Value } from './value'

/** A host name or an address to listen on; IPv6 with or without brackets. */
export const host = mapped(
  matching('^(?:[0-9A-Za-z._:-]+|\\[[0-9A-Za-z._:-]+\\])$', (t) => t.values.host),
  (text) => text.replace(/^\[|\]$/g, ''),
)

/** Without a trailing slash. */
export const baseUrl = mapped(anyText, (text) => {
  const url = URL.parse(text)
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) return new InvalidValue((t) => t.values.httpUrl)
  if (url.username !== '' || url.password !== '') return new InvalidValue((t) => t.values.noUser)
  if (/[?#]/.test(text)) return new InvalidValue((t) => t.values.noQuery)
  return url.href.replace(/\/+$/, '')
})

export const smtpUrl = mapped(anyText, (text) => {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:\/\/[^/]/i.test(text) || !/^\/?$/.test(url.pathname))
    return new InvalidValue((t) => t.values.smtpUrl)
  if (/[?#]/.test(text)) return new InvalidValue((t) => t.values.noQuery)
  if ((url.username === '') !== (url.password === '')) return new InvalidValue((t) => t.values.bothOrNeither)
  return url.href
})

/** True for a text that cannot be parsed but may hold one. */
export function holdsPassword(url: string): boolean {
  const parsed = URL.parse(url)
  const isRead = parsed !== null && /^smtps?:$/.test(parsed.protocol)
  return isRead ? parsed.password !== '' : url.includes('@')
}

/** A base URL must not hold credentials. */
export const mayHoldUser = (url: string): boolean => url.includes('@')

export const emailAddress = (rule: Message): Value<string> =>
  checked(Type.String({ maxLength: 254, pattern: address }), rule)

// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const address = `^[\\w.!#$%&'*+/=?^\`{|}~-]+@${label}(?:\\.${label})*$`

/** A host, and its port if that is not the usual one of the scheme. */
export interface NamedHost {
  readonly hostname: string
  readonly port: string
}

/** Hosts or addresses, each with or without a port, separated by commas; IPv6 in brackets. */
export const namedHosts: Value<readonly NamedHost[]> = mapped(anyText, (text) => {
  const read = text.split(',').map((part) => {
    const [, name, port = ''] =
      /^([0-9A-Za-z._-]+|\[[0-9A-Fa-f.:]+\])(?::([1-9]\d{0,4}))?$/.exec(part.trim()) ?? []
    const url = name === undefined ? null : URL.parse(`http://${name}`)
    return url === null || Number(port) > 65_535 ? undefined : { hostname: url.hostname, port }
  })
  const known = read.filter((one) => one !== undefined)
  return known.length < read.length ? new InvalidValue((t) => t.values.namedHosts) : known
})

/** CIDRs or addresses, separated by commas. */
export const networks: Value<readonly Network[]> = mapped(anyText, (text) => {
  const parsed = text.split(',').map((part) => parseNetwork(part.trim()))
  const known = parsed.filter((network) => network !== undefined)
  return known.length < parsed.length ? new InvalidValue((t) => t.values.networks) : known
})
