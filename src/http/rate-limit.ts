import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { networkOf } from '../lib/network'
import { rateLimited } from './errors'

/** The state of one caller's allowance after a request. */
export interface Allowance {
  readonly allowed: boolean
  /** Requests left at once. */
  readonly remaining: number
  /** Seconds until the next request is allowed; 0 when it is now. */
  readonly retryAfter: number
}

export interface RateLimiter {
  /** The allowance as the RateLimit-Policy header tells it: a quota and its window in seconds. */
  readonly policy: string
  take(key: string): Allowance
}

/**
 * A token bucket per key (D53): `perMinute` requests a minute, `burst` of them at once. `now` is a steady clock: setting
 * one neither fills nor empties a bucket. At most `maxKeys` keys are
 * remembered; the one unused for longest is forgotten first, which only ever gives it a full bucket again.
 */
export function createRateLimiter(options: {
  perMinute: number
  burst: number
  now(): number
  maxKeys?: number
}): RateLimiter {
  const { perMinute, burst, now, maxKeys = 10_000 } = options
  const buckets = new Map<string, { left: number; at: number }>()
  const perMillisecond = perMinute / 60_000
  return {
    policy: `"default";q=${burst};w=${Math.ceil(burst / perMillisecond / 1000)}`,
    take: (key) => {
      const bucket = buckets.get(key) ?? { left: burst, at: now() }
      bucket.left = Math.min(burst, bucket.left + (now() - bucket.at) * perMillisecond)
      bucket.at = now()
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > maxKeys) forgetOldest(buckets)
      const allowed = bucket.left >= 1
      if (allowed) bucket.left -= 1
      const retryAfter = allowed ? 0 : Math.ceil((1 - bucket.left) / perMillisecond / 1000)
      return { allowed, remaining: Math.floor(bucket.left), retryAfter }
    },
  }
}

function forgetOldest(buckets: Map<string, unknown>): void {
  for (const key of buckets.keys()) {
    buckets.delete(key)
    return
  }
}

export interface Limits {
  readonly byToken: RateLimiter
  readonly byAddress: RateLimiter
  /** Of the OAuth endpoints that clients call: each request may be a guess. */
  readonly byClientAddress: RateLimiter
  /** Of pages: by session, else by address. */
  readonly byVisitor: RateLimiter
}

/** Takes one request from an allowance; returns the headers that tell what is left. Throws rate_limited (D53). */
export function allow(limiter: RateLimiter | undefined, key: string): Record<string, string> {
  if (limiter === undefined) return {}
  const { allowed, remaining, retryAfter } = limiter.take(key)
  const headers = {
    'RateLimit-Policy': limiter.policy,
    RateLimit: `"default";r=${remaining};t=${retryAfter}`,
  }
  if (!allowed) throw rateLimited(retryAfter, headers)
  return headers
}

/** Takes one request from the allowance of an address. */
export const allowFrom = (limiter: RateLimiter | undefined, address: string) =>
  allow(limiter, networkOf(address))

/** Plugin: the allowances of callers, as `limits`. What takes from them knows who is calling. */
export const limits = (deps: Deps) => new Elysia({ name: 'limits' }).decorate('limits', createLimits(deps))

/**
 * The limits of D53, or none. Per token as configured, and a whole minute's at once: a client that lists the catalogue
 * asks for hundreds of pages as fast as it can. Per address without a good token, and half of that for OAuth. Of pages
 * more than a household reads or an office opens to sign in.
 */
function createLimits({ config, steady: now }: Deps): Limits | undefined {
  const perMinute = config.rateLimit
  if (perMinute === null) return undefined
  return {
    byToken: createRateLimiter({ perMinute, burst: perMinute, now }),
    byAddress: createRateLimiter({ perMinute: 120, burst: 60, now }),
    byClientAddress: createRateLimiter({ perMinute: 60, burst: 30, now }),
    byVisitor: createRateLimiter({ perMinute: 600, burst: 300, now }),
  }
}
