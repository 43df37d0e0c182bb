import { hashSecret, sameHash } from '../lib/secret'
import type { Message } from '../messages/languages'
import { PageProblem } from './problem'

/** HMAC keyed by the session cookie: needs no storage and reveals nothing of it. */
export const csrfToken = (cookie: string): string =>
  new Bun.CryptoHasher('sha256', cookie).update('csrf').digest('base64url')

export function checkOrigin(request: Request, baseUrl: string): void {
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin') return
  if (site !== null) throw foreignOrigin()
  const origin = request.headers.get('origin')
  if (origin === null || origin === 'null' || origin === new URL(baseUrl).origin) return
  throw wrongAddress(new URL(baseUrl).origin)
}

/**
 * After `checkOrigin`: a token bound to the session or, before there is one, to the browser's cookie (oauth.md §2.3).
 */
export function checkToken(token: string, cookie: string | undefined): void {
  if (cookie === undefined) throw noCookie()
  if (!sameHash(hashSecret(token), hashSecret(csrfToken(cookie)))) throw outOfDate()
}

const title: Message = (t) => t.form.refusedTitle

const foreignOrigin = () => new PageProblem(403, title, (t) => t.form.fromElsewhere)

const wrongAddress = (origin: string) => new PageProblem(403, title, (t) => t.form.wrongAddress(origin))

const noCookie = () => new PageProblem(403, title, (t) => t.form.noCookie)

const outOfDate = () => new PageProblem(403, title, (t) => t.form.outOfDate)
