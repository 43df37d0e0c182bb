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

/** CIDRs or addresses, separated by commas. */
export const networks: Value<readonly Network[]> = mapped(anyText, (text) => {
  const parsed = text.split(',').map((part) => parseNetwork(part.trim()))
  const known = parsed.filter((network) => network !== undefined)
  return known.length < parsed.length ? new InvalidValue((t) => t.values.networks) : known
})
