import type { Deps } from '../deps'
import type { Outside } from '../fetching/outside'
import { FetchRefused } from '../fetching/refused'
import { addressIn, type OutgoingRules } from '../fetching/send'
import { addressOf } from '../lib/network'
import type { NamedHost } from '../values/address'
import { type PushKeys, pushKeys } from './web-push'

/** The world beyond this machine, and which hosts in it the operator allows although they are private (`--outgoing-allow`). */
export interface WayOut {
  readonly outside: Outside
  readonly allowed: readonly NamedHost[]
  /** Undefined if browsers are not told. */
  pushKeys(): Promise<PushKeys | undefined>
}

export const wayOut = (deps: Pick<Deps, 'config' | 'outside' | 'readBare' | 'write'>): WayOut => ({
  outside: deps.outside,
  allowed: deps.config.outgoingAllow,
  pushKeys: () => pushKeys(deps),
})

const isAllowed = ({ allowed }: WayOut, url: URL): boolean =>
  allowed.some(({ hostname, port }) => {
    const usual = url.protocol === 'https:' ? '443' : '80'
    return hostname === url.hostname && (port === '' ? url.port === '' : port === (url.port || usual))
  })

/** To public addresses by https on its own port; no redirect, which could lead elsewhere. */
export function rulesFor(way: WayOut, url: URL): OutgoingRules {
  const isNamed = isAllowed(way, url)
  return {
    outside: isNamed ? { ...way.outside, mayReach: () => true } : way.outside,
    redirects: 0,
    limits: { wholeMs: 10_000 },
    refuse: (asked) => {
      if (!isNamed && (asked.protocol !== 'https:' || asked.port !== ''))
        throw new FetchRefused('not_allowed', 'not https on its usual port')
    },
  }
}

/**
 * The address as it is kept. Throws a `FetchRefused` for one that may not be contacted, as far as that is known now: a name
 * may have other addresses when something is sent.
 */
export async function checkedUrl(way: WayOut, text: string): Promise<URL> {
  const url = addressIn(text)
  const rules = rulesFor(way, url)
  rules.refuse?.(url, undefined)
  if (!/^https?:$/.test(url.protocol)) throw new FetchRefused('not_allowed', 'neither http nor https')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const known = addressOf(host)
  const addresses = known === undefined ? await way.outside.resolve(host).catch(() => []) : [known]
  if (!addresses.every((one) => rules.outside?.mayReach(one) ?? false))
    throw new FetchRefused('not_allowed', 'not a public address')
  return url
}
