import type { AuthorizationServer, JWKS } from 'oauth4webapi'
import type { Deps } from '../../deps'
import { FetchRefused } from '../../fetching/refused'
import { bytesOf, type OutgoingRules, send } from '../../fetching/send'
import { isLoopback } from '../../lib/network'
import type { Provider } from '../../options/providers'
import { ProviderRefusal } from './refusal'

export type ContactDeps = Pick<Deps, 'outside' | 'steady'>

/** How long what a provider says of itself is believed, and its keys, in milliseconds. */
const believed = 3_600_000

/** How soon an unknown key has the keys read again: one that has just begun to be used must not wait for the hour. */
const leastBetween = 10_000

interface Dated<T> {
  readonly at: number
  readonly value: Promise<T>
}

/** For as long as the process runs; there are as many as configured providers. */
const metadataOf = new WeakMap<Provider, Dated<AuthorizationServer>>()
const keysOf = new WeakMap<Provider, Dated<JWKS>>()

/** OpenID Connect Discovery §4. Throws a `ProviderRefusal` with `unreachable`. */
export async function discover(deps: ContactDeps, provider: Provider): Promise<AuthorizationServer> {
  return await kept(metadataOf, deps, provider, believed, () => readMetadata(deps, provider))
}

/** `isUnknown`: none of the keys that are kept made a signature. Throws a `ProviderRefusal` with `unreachable`. */
export async function readKeys(
  deps: ContactDeps,
  provider: Provider,
  { isUnknown }: { readonly isUnknown: boolean },
): Promise<JWKS> {
  const { jwks_uri: address = '' } = await discover(deps, provider)
  const age = isUnknown ? leastBetween : believed
  return await kept(keysOf, deps, provider, age, async () => {
    const keys: unknown = await jsonOf(await contact(deps, provider, address))
    if (!isRecord(keys) || !Array.isArray(keys.keys) || !keys.keys.every(isRecord))
      throw new ProviderRefusal('unreachable', 'the keys are not a JSON Web Key Set')
    return { keys: keys.keys }
  })
}

/** Whoever asks meanwhile gets the same answer. A failure is not kept. */
async function kept<T>(
  all: WeakMap<Provider, Dated<T>>,
  { steady }: ContactDeps,
  provider: Provider,
  age: number,
  read: () => Promise<T>,
): Promise<T> {
  const known = all.get(provider)
  if (known !== undefined && steady() - known.at < age) return await known.value
  const dated = { at: steady(), value: read() }
  all.set(provider, dated)
  try {
    return await dated.value
  } catch (cause) {
    if (all.get(provider) === dated) all.delete(provider)
    throw cause
  }
}

async function readMetadata(deps: ContactDeps, provider: Provider): Promise<AuthorizationServer> {
  const address = `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await contact(deps, provider, address)
  if (response.status !== 200)
    throw new ProviderRefusal('unreachable', `discovery answered ${response.status}`)
  const { processDiscoveryResponse } = await import('oauth4webapi')
  const metadata = await processDiscoveryResponse(new URL(provider.issuer), response).catch((cause) => {
    throw new ProviderRefusal('unreachable', `discovery: ${messageOf(cause)}`, { cause })
  })
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    checkedAddress(provider, metadata[name], name)
  if (metadata.userinfo_endpoint !== undefined)
    checkedAddress(provider, metadata.userinfo_endpoint, 'userinfo_endpoint')
  return metadata
}

/**
 * The issuer's origin may be anywhere, since the operator names it; what its metadata name beside it must be public, by https:
 * otherwise false metadata could have this server ask its neighbours (SSRF). Throws a `ProviderRefusal`.
 */
export function checkedAddress({ issuer }: Provider, text: unknown, name: string): URL {
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (url === null) throw new ProviderRefusal('unreachable', `discovery names no ${name}`)
  const isOwn = url.origin === new URL(issuer).origin
  if (isOwn || (url.protocol === 'https:' && !isLoopback(url.hostname))) return url
  throw new ProviderRefusal('unreachable', `discovery: ${name} is neither at the issuer nor public`)
}

export interface Contact {
  readonly method?: string
  readonly headers?: Headers
  readonly body?: string
}

/** Never follows a redirect. Throws a `ProviderRefusal` with `unreachable`. */
export async function contact(
  deps: ContactDeps,
  provider: Provider,
  address: string,
  { method = 'GET', headers = new Headers(), body }: Contact = {},
): Promise<Response> {
  const url = checkedAddress(provider, address, 'address')
  const isOwn = url.origin === new URL(provider.issuer).origin
  const rules: OutgoingRules = {
    outside: isOwn ? undefined : deps.outside,
    redirects: 0,
    limits: { wholeMs: 10_000 },
  }
  headers.set('User-Agent', 'kiroku')
  const request = {
    url: url.href,
    method,
    body,
    headersFor: () => headers,
    signal: new AbortController().signal,
  }
  try {
    await using answer = await send(rules, request)
    const bytes = await bytesOf(answer.content(mostBytes))
    if (answer.status >= 500)
      throw new ProviderRefusal('unreachable', `${url.pathname} answered ${answer.status}`)
    const type = answer.headers.get('content-type')
    const init = { status: answer.status, ...(type !== null && { headers: { 'content-type': type } }) }
    return new Response(bytes.length === 0 ? null : bytes, init)
  } catch (cause) {
    if (cause instanceof ProviderRefusal) throw cause
    const why = cause instanceof FetchRefused ? cause.message : 'no answer that can be read'
    throw new ProviderRefusal('unreachable', why, { cause })
  }
}

const mostBytes = 256 * 1024

async function jsonOf(response: Response): Promise<unknown> {
  try {
    if (response.status === 200) return await response.json()
  } catch {}
  throw new ProviderRefusal('unreachable', `the keys: status ${response.status}, or no JSON`)
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The library's messages contain no values. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
