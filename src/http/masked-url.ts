import { fullyDecoded, mask, maskSecrets, mayBeEncoded } from '../lib/masked'

/** Masks secrets (oauth.md §2.7) by parameter name and by format, anywhere in the URL, also percent-encoded. */
export function maskedUrl(url: string): string {
  const start = url.indexOf('/', 8)
  const target = start < 0 ? '/' : url.slice(start)
  if (!mayBeSecret.test(target)) return target
  const mark = target.indexOf('?')
  if (mark < 0) return maskedPart(target)
  const pairs = target.slice(mark + 1).split('&')
  return `${maskedPart(target.slice(0, mark))}?${pairs.map(maskedPart).join('&')}`
}

const maskedPart = (part: string): string => maskSecrets(withoutValue(part))

/** Masks everything after the first secret parameter's name. */
function withoutValue(part: string): string {
  const { text, starts } = mayBeEncoded(part) ? fullyDecoded(part) : { text: part, starts: undefined }
  const found = secretName.exec(text)
  if (found === null) return part
  const end = found.index + found[0].length
  return part.slice(0, starts === undefined ? end : starts[end]) + mask
}

/** Whether anything below may find something: most URLs need no closer look. */
const mayBeSecret = /%|kir_|token|code|secret|verifier|password|state|csrf|email|return_to/i

/** return_to is itself a URL, which may contain any of the others. */
const secretName =
  /(?:^|[?&;#])[\s+]*(?:access_token|token|code|client_secret|code_verifier|device_code|user_code|password|state|csrf|email|return_to)\b[^=&;#]*=/i
