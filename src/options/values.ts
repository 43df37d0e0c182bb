import { isEmailAddress } from '../lib/email-address'
import { type Network, parseNetwork } from '../lib/network'
import { Unfit } from './option'

/** Any text that is not blank. */
export function nonBlank(text: string): string {
  if (text.trim() === '') throw new Unfit('must not be empty')
  return text
}

export function onOrOff(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Unfit('must be true or false')
  return text === 'true'
}

/** A switch that turns something off. */
export const offOrOn = (text: string): boolean => !onOrOff(text)

/** A TCP port; 0 asks for a free one. */
export function port(text: string): number {
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(number <= 65535)) throw new Unfit('must be a whole number from 0 to 65535')
  return number
}

/** A host name or address to listen on; an IPv6 address may stand in brackets. */
export function host(text: string): string {
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text
  if (!/^[0-9A-Za-z._:-]+$/.test(bare)) throw new Unfit('must be a host name or an address')
  return bare
}

/** A URL that others can be put behind: without a slash at its end. */
export function baseUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) throw new Unfit('must be an http or https URL')
  if (url.username !== '' || url.password !== '') throw new Unfit('must not hold a user name or password')
  if (/[?#]/.test(text)) throw new Unfit('must not hold a query or fragment')
  return url.href.replace(/\/+$/, '')
}

/** Where mail is handed over: smtp or smtps, with a user name and password or without. */
export function smtpUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:\/\/[^/]/i.test(text) || !/^\/?$/.test(url.pathname))
    throw new Unfit('must be a URL such as smtp://mail.example:587 or smtps://NAME:PASSWORD@mail.example')
  if (/[?#]/.test(text)) throw new Unfit('must not hold a query or fragment')
  if ((url.username === '') !== (url.password === ''))
    throw new Unfit('must hold both a user name and a password, or neither')
  return url.href
}

/** Whether the URL of a mail server holds a password; what cannot be read as one may hold it. */
export function holdsPassword(url: string): boolean {
  const parsed = URL.parse(url)
  const isRead = parsed !== null && /^smtps?:$/.test(parsed.protocol)
  return isRead ? parsed.password !== '' : url.includes('@')
}

/** Whether a base URL may hold a user name or a password, which none should. */
export const mayHoldUser = (url: string): boolean => url.includes('@')

export function emailAddress(text: string): string {
  if (!isEmailAddress(text)) throw new Unfit('must be an e-mail address such as kiroku@example.com')
  return text
}

/** Networks, separated by commas. */
export function networks(text: string): readonly Network[] {
  return text.split(',').map((part) => {
    const network = parseNetwork(part.trim())
    if (network === undefined) throw new Unfit('must be addresses or networks such as 127.0.0.1,10.0.0.0/8')
    return network
  })
}

/** Requests a minute, or null for `off`. */
export function rateLimit(text: string): number | null {
  if (text === 'off') return null
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new Unfit('must be off or a whole number above 0')
  return Number(text)
}

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate === text)
    if (word === undefined) throw new Unfit(`must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
    return word
  }
}
