import Type from 'typebox'
import { type Network, parseNetwork } from '../lib/network'
import type { Message } from '../messages/languages'
import { anyText, matching } from './text'
import { checked, InvalidValue, mapped, type Value } from './value'

/** A host name or address to listen on; an IPv6 address may stand in brackets. */
export const host = mapped(
  matching('^(?:[0-9A-Za-z._:-]+|\\[[0-9A-Za-z._:-]+\\])$', (t) => t.values.host),
  (text) => text.replace(/^\[|\]$/g, ''),
)

/** A URL that others can be put behind: without a slash at its end. */
export const baseUrl = mapped(anyText, (text) => {
  const url = URL.parse(text)
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) return new InvalidValue((t) => t.values.httpUrl)
  if (url.username !== '' || url.password !== '') return new InvalidValue((t) => t.values.noUser)
  if (/[?#]/.test(text)) return new InvalidValue((t) => t.values.noQuery)
  return url.href.replace(/\/+$/, '')
})

/** Where mail is handed over: smtp or smtps, with a user name and password or without. */
export const smtpUrl = mapped(anyText, (text) => {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:\/\/[^/]/i.test(text) || !/^\/?$/.test(url.pathname))
    return new InvalidValue((t) => t.values.smtpUrl)
  if (/[?#]/.test(text)) return new InvalidValue((t) => t.values.noQuery)
  if ((url.username === '') !== (url.password === '')) return new InvalidValue((t) => t.values.bothOrNeither)
  return url.href
})

/** Whether the URL of a mail server holds a password; what cannot be read as one may hold it. */
export function holdsPassword(url: string): boolean {
  const parsed = URL.parse(url)
  const isRead = parsed !== null && /^smtps?:$/.test(parsed.protocol)
  return isRead ? parsed.password !== '' : url.includes('@')
}

/** Whether a base URL may hold a user name or a password, which none should. */
export const mayHoldUser = (url: string): boolean => url.includes('@')

/** An e-mail address as browsers check one. */
export const emailAddress = (rule: Message): Value<string> =>
  checked(Type.String({ maxLength: 254, pattern: address }), rule)

// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const address = `^[\\w.!#$%&'*+/=?^\`{|}~-]+@${label}(?:\\.${label})*$`

/** Networks, separated by commas. */
export const networks: Value<readonly Network[]> = mapped(anyText, (text) => {
  const parsed = text.split(',').map((part) => parseNetwork(part.trim()))
  const known = parsed.filter((network) => network !== undefined)
  return known.length < parsed.length ? new InvalidValue((t) => t.values.networks) : known
})
