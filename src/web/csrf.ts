import { type Random, sameHash } from '../lib/secret'
import type { Message } from '../messages/languages'
import { PageProblem } from './problem'

/** A random pad and the token masked with it: differs each time, so compressed lengths reveal nothing (BREACH). */
export function csrfToken(cookie: string, random: Random): string {
  const pad = random(tokenLength)
  return toBase64(Uint8Array.of(...pad, ...xor(pad, tokenOf(cookie))))
}

/** HMAC keyed by the session cookie: needs no storage and reveals nothing about it. */
const tokenOf = (cookie: string): Uint8Array =>
  Uint8Array.from(new Bun.CryptoHasher('sha256', cookie).update('csrf').digest())

const tokenLength = 32

const xor = (one: Uint8Array, other: Uint8Array): Uint8Array =>
  one.map((byte, index) => byte ^ (other[index] ?? 0))

const toBase64 = (bytes: Uint8Array): string => bytes.toBase64({ alphabet: 'base64url', omitPadding: true })

/** Undefined for text that no page of ours contains. */
function unmasked(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]{86}$/.test(text)) return undefined
  const bytes = Uint8Array.from(Buffer.from(text, 'base64url'))
  return xor(bytes.subarray(0, tokenLength), bytes.subarray(tokenLength))
}

export function checkOrigin(request: Request, baseUrl: string): void {
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin') return
  if (site !== null) throw refused((t) => t.form.fromElsewhere)
  const origin = request.headers.get('origin')
  const own = new URL(baseUrl).origin
  if (origin === null || origin === 'null' || origin === own) return
  throw refused((t) => t.form.wrongAddress(own))
}

/** The token is bound to the session or, before there is one, to the browser's cookie (oauth.md §2.3). */
export function checkToken(token: string, cookie: string | undefined): void {
  if (cookie === undefined) throw refused((t) => t.form.noCookie)
  const sent = unmasked(token)
  if (sent === undefined || !sameHash(sent, tokenOf(cookie))) throw refused((t) => t.form.outOfDate)
}

const refused = (why: Message) => new PageProblem(403, (t) => [t.form.refusedTitle, why(t)])
