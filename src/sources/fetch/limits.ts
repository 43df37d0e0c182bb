/** Limits of one request. */
export interface Limits {
  /** Milliseconds until the headers arrive. */
  readonly headersMs: number
  /** Milliseconds in all; more as long as the answer arrives at `minSpeed` on average since the request. */
  readonly wholeMs: number
  /** Bytes a second, as received. */
  readonly minSpeed: number
  /** Decompressed bytes per byte received. */
  readonly maxRatio: number
}

export const usualLimits: Limits = { headersMs: 10_000, wholeMs: 60_000, minSpeed: 100_000, maxRatio: 200 }
