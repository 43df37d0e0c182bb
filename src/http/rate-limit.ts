import type { Deps } from '../deps'
import { onWork } from '../lib/current-request'
import { networkOf } from '../lib/network'
import { rateLimited } from './errors'

export interface Allowance {
  readonly allowed: boolean
  readonly remaining: number
  /** Seconds until the next request is allowed; 0 if it is now. */
  readonly retryAfter: number
}

export interface RateLimiter {
  /** Value of the RateLimit-Policy header: a quota and its window in seconds. */
  readonly policy: string
  take(key: string): Allowance
  /** Takes more for a request that was allowed, even below nothing: later ones then wait longer. */
  charge(key: string, requests: number): void
}

/** A token bucket per key (D53) on a monotonic clock. LRU of `maxKeys`: an evicted key gets a full bucket. */
function createRateLimiter(options: {
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
      return { allowed, remaining: Math.max(0, Math.floor(bucket.left)), retryAfter }
    },
    charge: (key, requests) => {
      const bucket = buckets.get(key)
      if (bucket !== undefined) bucket.left = Math.max(-burst, bucket.left - requests)
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
  /** OAuth endpoints that clients call: each request may be a guess. */
  readonly byClientAddress: RateLimiter
  /** Pages: by session, else by address. */
  readonly byVisitor: RateLimiter
  /** Pictures, assets, documents for programs, and what does not exist: a page shows up to a hundred pictures. */
  readonly byFile: RateLimiter
  /** Calendar feeds: 60 reads an hour each (D83). */
  readonly byFeed: RateLimiter
  /** What players report, by their address. */
  readonly byHook: RateLimiter
}

/** Counts one request, and its long work while it is done; returns the RateLimit headers. Throws rate_limited (D53). */
export function allow(limiter: RateLimiter | undefined, key: string): Record<string, string> {
  if (limiter === undefined) return {}
  const one = limiter.take(key)
  const headers = {
    'RateLimit-Policy': limiter.policy,
    RateLimit: remainingText(one),
  }
  if (!one.allowed) throw rateLimited(one.retryAfter, headers)
  onWork((ms) => limiter.charge(key, ms / workPerRequestMs))
  return headers
}

/** The value of the RateLimit header. */
export const remainingText = ({ remaining, retryAfter }: Allowance) =>
  `"default";r=${remaining};t=${retryAfter}`

/** CPU time of long work, such as a search, that counts as one request. */
const workPerRequestMs = 10

export const allowFrom = (limiter: RateLimiter | undefined, address: string) =>
  allow(limiter, networkOf(address))

/** D53. A token may spend a whole minute's quota at once: clients list the catalogue as fast as they can. */
export function createLimits({ config, steady: now }: Deps): Limits | undefined {
  const perMinute = config.rateLimit
  if (perMinute === null) return undefined
  return {
    byToken: createRateLimiter({ perMinute, burst: perMinute, now }),
    byAddress: createRateLimiter({ perMinute: 120, burst: 60, now }),
    byClientAddress: createRateLimiter({ perMinute: 60, burst: 30, now }),
    byVisitor: createRateLimiter({ perMinute: 600, burst: 300, now }),
    byFile: createRateLimiter({ perMinute: 3000, burst: 1500, now }),
    byFeed: createRateLimiter({ perMinute: 1, burst: 60, now }),
    // A player tells of a whole library that is marked as watched at once, and does not repeat what is refused.
    byHook: createRateLimiter({ perMinute: 600, burst: 10_000, now }),
  }
}
