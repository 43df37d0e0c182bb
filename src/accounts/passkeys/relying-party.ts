import { isIP } from 'node:net'

/** Who passkeys are made for (WebAuthn level 3, §5.1.2, §13.4.9): a host, used from one origin alone (D101). */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * Undefined where browsers have no passkeys: without https, unless this machine is called by name, and at addresses, which Chromium
 * calls "an invalid domain". A server on this machine's own address is also reached as `localhost`, where they work.
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin, port } = new URL(baseUrl)
  if (isOwnAddress(hostname) && protocol === 'http:')
    return { id: 'localhost', origin: `http://localhost${port === '' ? '' : `:${port}`}` }
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isAddress || (protocol !== 'https:' && !isLocal)) return undefined
  return { id: hostname, origin }
}

/** Where the request came in; proxies may have changed the name, so it is asked only about this machine's own. */
export function relyingPartyAt(baseUrl: string, url: string): RelyingParty | undefined {
  const party = relyingPartyOf(baseUrl)
  const isElsewhere = isOwnAddress(new URL(baseUrl).hostname) && URL.parse(url)?.hostname !== party?.id
  return isElsewhere ? undefined : party
}

const isOwnAddress = (hostname: string) => hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
