import { FetchRefused } from './refused'

/** Limits of one exchange, which has one address. */
export interface FetchLimits {
  /** Milliseconds until the headers arrive; by default `wholeMs`. */
  readonly headersMs?: number
  /** Milliseconds in all; more as long as the answer arrives at `minSpeed` on average since the request. */
  readonly wholeMs: number
  /** Bytes a second, as received; by default the whole may not take longer. */
  readonly minSpeed?: number
  /** Decompressed bytes per byte received, by default 200. */
  readonly maxRatio?: number | undefined
}

/** Aborts an exchange that takes too long, with a `FetchRefused` as the reason. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
  headersCame(): void
  received(bytes: number): void
}

/** Also aborted by `outer`, with its reason. */
export function startDeadline(limits: FetchLimits, outer: AbortSignal): Deadline {
  const { wholeMs, headersMs = wholeMs, minSpeed = Number.POSITIVE_INFINITY } = limits
  const late = new AbortController()
  let bytes = 0
  const headersTimer = setTimeout(
    () => late.abort(new FetchRefused('too_slow', `no answer within ${headersMs / 1000} s`)),
    headersMs,
  )
  const check = (elapsedMs: number) => {
    const dueMs = Math.max(wholeMs, (bytes / minSpeed) * 1000)
    if (dueMs <= elapsedMs) late.abort(new FetchRefused('too_slow', 'the answer came too slowly'))
    else wholeTimer = setTimeout(() => check(dueMs), dueMs - elapsedMs)
  }
  let wholeTimer: ReturnType<typeof setTimeout> | undefined
  check(0)
  return {
    signal: AbortSignal.any([outer, late.signal]),
    headersCame: () => clearTimeout(headersTimer),
    received: (more) => {
      bytes += more
    },
    [Symbol.dispose]: () => {
      clearTimeout(headersTimer)
      clearTimeout(wholeTimer)
    },
  }
}
