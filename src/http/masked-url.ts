import { fullyDecoded, mask, maskSecrets } from '../lib/masked'

/**
 * A URL as a log may show it: what could be a secret is masked, by the name of its parameter and by its own form, wherever
 * it stands and however often it is percent-encoded (oauth.md §2.7).
 */
export function maskedUrl(url: string): string {
  const start = url.indexOf('/', 8)
  const target = start < 0 ? '/' : url.slice(start)
  const mark = target.indexOf('?')
  if (mark < 0) return maskedPart(target)
  const pairs = target.slice(mark + 1).split('&')
  return `${maskedPart(target.slice(0, mark))}?${pairs.map(maskedPart).join('&')}`
}

/** A path, or a parameter with its value, which may hold an address with parameters of its own. */
const maskedPart = (part: string): string => maskSecrets(withoutValue(part))

/** Masks everything behind the first name whose value is a secret. */
function withoutValue(part: string): string {
  const { text, starts } = fullyDecoded(part)
  const found = secretName.exec(text)
  return found === null ? part : part.slice(0, starts[found.index + found[0].length]) + mask
}

/** return_to is a URL of its own, which may have any of the others. */
const secretName =
  /(?:^|[?&;#])[\s+]*(?:access_token|token|code|client_secret|code_verifier|device_code|user_code|password|state|csrf|email|return_to)\b[^=&;#]*=/i
