/** Of one request. */
export interface Limits {
  /** Milliseconds until the headers are there. */
  readonly headersMs: number
  /** Milliseconds in all, or longer for as long as the answer comes at `minSpeed` on average since it was asked for. */
  readonly wholeMs: number
  /** Bytes a second, as received. */
  readonly minSpeed: number
  /** Bytes after decompression for each one received. */
  readonly maxRatio: number
}

export const usualLimits: Limits = { headersMs: 10_000, wholeMs: 60_000, minSpeed: 100_000, maxRatio: 200 }
