import { hashSecret, sameHash } from '../lib/secret'
import { words } from '../lib/words'
import { PageProblem } from './problem'

/** The proof a form carries: an HMAC under the session cookie's value, so it needs no storage and tells nothing of it. */
export const csrfToken = (cookie: string): string =>
  new Bun.CryptoHasher('sha256', cookie).update('csrf').digest('base64url')

/** The first half of the check (oauth.md §2.3): where the browser says a form was sent from. */
export function checkOrigin(request: Request, baseUrl: string): void {
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin') return
  if (site !== null) throw foreign()
  const origin = request.headers.get('origin')
  if (origin === null || origin === 'null' || origin === new URL(baseUrl).origin) return
  throw wrongAddress(new URL(baseUrl).origin)
}

/** The second half: a proof bound to the session, or to the browser before there is one. */
export function checkToken(token: string, cookie: string | undefined): void {
  if (cookie === undefined) throw noCookie()
  if (!sameHash(hashSecret(token), hashSecret(csrfToken(cookie)))) throw outOfDate()
}

const title = words('This form was not accepted', 'フォームを受け付けられませんでした')

const foreign = () =>
  new PageProblem(
    403,
    title,
    words('It was sent from a page of another site.', '別のサイトのページから送信されました。'),
  )

const wrongAddress = (origin: string) =>
  new PageProblem(
    403,
    title,
    words(
      `This instance is set up to be used at ${origin}, but was opened at another address. Open it there, or start it with --base-url and the address you use.`,
      `このインスタンスのアドレスは ${origin} ですが、別のアドレスで開かれています。そちらで開くか、使うアドレスを --base-url に指定して起動してください。`,
    ),
  )

const noCookie = () =>
  new PageProblem(
    403,
    title,
    words(
      'The browser sent no cookie of this site. Allow cookies, open the form again and send it once more.',
      'このサイトの Cookie が届きませんでした。Cookie を許可し、フォームを開き直してもう一度送信してください。',
    ),
  )

const outOfDate = () =>
  new PageProblem(
    403,
    title,
    words(
      'It is from before you signed in or out. Open it again and send it once more.',
      'ログインまたはログアウトする前のフォームです。開き直してもう一度送信してください。',
    ),
  )
