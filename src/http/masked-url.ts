import { secretPattern } from '../lib/secret'

/**
 * A URL as a log may show it: what could be a secret is masked, by the name of its parameter however that is written,
 * and by its own form wherever it stands (oauth.md §2.7).
 */
export function maskedUrl(url: string): string {
  const start = url.indexOf('/', 8)
  const target = (start < 0 ? '/' : url.slice(start)).replace(anySecret, '***')
  const query = target.indexOf('?') + 1
  if (query === 0) return target
  return target.slice(0, query) + target.slice(query).split('&').map(masked).join('&')
}

function masked(pair: string): string {
  const [name = ''] = pair.split('=', 1)
  return secret.test(decoded(name)) ? `${name}=***` : pair
}

/** A name that cannot be decoded is no parameter's. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}

const anySecret = new RegExp(secretPattern, 'g')
/** return_to is a URL of its own, which may have any of the others. */
const secret =
  /^\s*(access_token|token|code|client_secret|code_verifier|device_code|user_code|password|state|csrf|email|return_to)\b/i
