import { type Words, words } from '../lib/words'

/** No redirect: the code is displayed, for somebody to copy. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'

/** What keeps a URI from being registered as a redirect URI (AZ-07, D57); undefined when nothing does. */
export function redirectUriProblem(uri: string, baseUrl: string): Words | undefined {
  if (uri === outOfBand) return undefined
  if (uri.length > longest) return tooLong
  if (!/^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/.test(uri)) return oddCharacters
  if (!/^[a-z][a-z0-9+.-]*:/.test(uri) || !URL.canParse(uri)) return notAbsolute
  if (uri.includes('#')) return hasFragment
  if (uri.includes('*')) return hasWildcard
  if (/^[^:]+:\/\/[^/?]*@/.test(uri)) return hasUser
  if (/^https?:/.test(uri)) return webProblem(uri, baseUrl)
  return /^[^:]*\./.test(uri) ? undefined : schemeWithoutDot
}

/** Whether a redirect URI is one of those registered, and one that can be registered still: the rules may have grown. */
export const isAccepted = (registered: readonly string[], asked: string): boolean =>
  isAllowed(asked) && registered.some((one) => matchesRedirectUri(one, asked))

/** Whether a URI keeps the rules that hold for every instance, whether it has TLS or not (D57). */
export const isAllowed = (uri: string): boolean => redirectUriProblem(uri, 'http:') === undefined

/**
 * Whether a redirect URI is one that was registered: byte by byte (AZ-04), except for the port of an app on the same
 * machine, which gets one from its system each time (AZ-06, RFC 8252 §7.3).
 */
export function matchesRedirectUri(registered: string, asked: string): boolean {
  if (registered === asked) return true
  const withoutPort = loopbackWithoutPort(asked)
  return withoutPort !== undefined && withoutPort === loopbackWithoutPort(registered)
}

/** Spelled in the one usual way alone; `127.1` and `LOCALHOST` are not taken for the same machine. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/

function loopbackWithoutPort(uri: string): string | undefined {
  const [, host, port = '', rest] = loopback.exec(uri) ?? []
  return host === undefined || Number(port) > 65_535 ? undefined : `${host}${rest}`
}

function webProblem(uri: string, baseUrl: string): Words | undefined {
  if (!/^https?:\/\/[^/?]/.test(uri)) return notAbsolute
  if (!webHost.test(uri)) return oddHost
  const isPlain = uri.startsWith('http:') && !loopback.test(uri)
  return isPlain && baseUrl.startsWith('https:') ? notEncrypted : undefined
}

/**
 * URLs may hold more in a host, such as `;` and `,`; but it becomes a source of the consent page's policy, where those end
 * the directive or the policy.
 */
const webHost = /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?]|$)/

/** In characters. */
const longest = 2000

const tooLong = words(`must not be longer than ${longest} characters`, `${longest}文字以内で入力してください`)

const oddCharacters = words(
  'must be of the characters of a URI, others percent-encoded',
  'URI に使える文字だけで入力してください（ほかの文字はパーセントエンコードします）',
)

const notAbsolute = words(
  'must be a whole URI that begins with a lower-case scheme, as https://example.com/callback does',
  'https://example.com/callback のように、小文字のスキームから始まる完全な URI を入力してください',
)

const oddHost = words(
  'must have a host of A-Z, a-z, 0-9, dots and hyphens alone, or an IP address',
  'ホスト名は A-Z、a-z、0-9、ドット、ハイフンだけにするか、IP アドレスにしてください',
)

const hasFragment = words('must not have a fragment (#)', 'フラグメント（#）は使えません')

const hasWildcard = words(
  'must not have a wildcard (*); name every URI',
  'ワイルドカード（*）は使えません。URI を1つずつ登録してください',
)

const hasUser = words(
  'must not have a user name or password',
  'ユーザー名やパスワードを含めることはできません',
)

const schemeWithoutDot = words(
  'must begin with https:, or with a scheme of your own that has a dot, as com.example.app: does',
  'https: か、com.example.app: のようにドットを含む独自のスキームで始めてください',
)

const notEncrypted = words(
  'must begin with https:, unless it leads to the same machine (127.0.0.1, [::1] or localhost)',
  '同じコンピューター（127.0.0.1、[::1]、localhost）へのものでなければ、https: で始めてください',
)
