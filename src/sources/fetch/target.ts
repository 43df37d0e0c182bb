import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FetchRefused } from '../../fetching/refused'
import { addressIn } from '../../fetching/send'
import { isLoopback } from '../../lib/network'
import { type Environment, sourceUrlPrefix } from '../../options/environment'
import { baseUrl } from '../../values/address'
import { InvalidValue } from '../../values/value'
import { splitLocation } from '../location'
import type { AnySource, SourceRequest } from '../source'
import { SourceRefused } from './refused'

export type Target = LocalTarget | WebTarget

export interface LocalTarget {
  readonly path: string
}

export interface WebTarget {
  readonly url: URL
  readonly origins: ReadonlySet<string>
  /** The only origin that may receive the token; undefined if it is the location set by the administrator. */
  readonly tokenOrigin: string | undefined
  /** Whoever starts kiroku may configure a server on this machine. */
  readonly isOnLoopback: boolean
}

/**
 * Resolves a relative `request.url` against the location. Throws a `SourceRefused` or `FetchRefused` for what the source did not declare.
 */
export function targetOf(
  source: AnySource,
  { url }: SourceRequest,
  given: string | null,
  env: Environment,
): Target {
  const location = given === null ? null : splitLocation(given).place
  if (URL.canParse(url)) return webTarget(source, url, location, env)
  if (location === null) throw new SourceRefused('not_configured', 'no location is set')
  if (isPath(location)) return { path: pathBelow(location, url) }
  const below = url === '' ? location : URL.parse(url, `${location.replace(/\/*$/, '')}/`)?.href
  return webTarget(source, below ?? '', location, env)
}

/** Throws for a text that is an address for `URL` only, which ignores control characters: it is no path either. */
function isPath(location: string): boolean {
  if (/^https?:/i.test(location)) return false
  if (/\p{Cc}/u.test(location))
    throw new SourceRefused('not_configured', 'the location has control characters')
  return true
}

function pathBelow(location: string, url: string): string {
  const place = /^file:/i.test(location) ? fromFileUrl(location) : resolve(location)
  const path = join(place, url)
  if (/^\.\.(?:\/|$)/.test(relative(place, path)))
    throw new SourceRefused('refused', 'a file outside the location')
  return path
}

function fromFileUrl(location: string): string {
  try {
    return fileURLToPath(location)
  } catch {
    throw new SourceRefused('not_configured', 'the location is no file of this machine')
  }
}

function webTarget(source: AnySource, text: string, location: string | null, env: Environment): WebTarget {
  const declared = new Set(source.hosts.map((host) => `https://${host}`))
  const origins = location === null ? declared : declared.union(originOf(location))
  const url = addressIn(text)
  refuseOthers(url, undefined, origins)
  const other = env[sourceUrlPrefix + source.name.toUpperCase().replaceAll('-', '_')]
  const isDeclared = declared.has(url.origin)
  if (!other) return { url, origins, tokenOrigin: isDeclared ? url.origin : undefined, isOnLoopback: false }
  const base = baseOf(other)
  base.pathname = base.pathname.replace(/\/*$/, '') + url.pathname
  base.search = url.search
  return {
    url: base,
    origins: new Set([base.origin]),
    tokenOrigin: isDeclared ? base.origin : undefined,
    isOnLoopback: isLoopback(base.hostname),
  }
}

function originOf(location: string): ReadonlySet<string> {
  const url = URL.parse(location)
  if (!/^https?:/i.test(location)) return new Set()
  if (url?.protocol === 'https:') return new Set([url.origin])
  throw new SourceRefused('not_configured', 'the location must be https, or a folder or file of this machine')
}

function baseOf(text: string): URL {
  const read = baseUrl.read(text)
  const url = read instanceof InvalidValue ? undefined : new URL(read)
  if (url?.protocol === 'https:' || (url !== undefined && isLoopback(url.hostname))) return url
  throw new SourceRefused('not_configured', `${sourceUrlPrefix}… must be https, or http on this machine`)
}

/** Throws a `FetchRefused` for an address that is not of the source, to which `from` redirects. */
export function refuseOthers(url: URL, from: URL | undefined, origins: ReadonlySet<string>): void {
  const place = `${from === undefined ? '' : 'redirects to '}${url.origin}`
  if (!origins.has(url.origin))
    throw new FetchRefused('not_allowed', `${place}, which is not a declared host`)
}
