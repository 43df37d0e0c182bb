import type { Limits } from './limits'
import { SourceRefused } from './refused'

/** Aborts an exchange that takes too long, with a `SourceRefused` as the reason. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
  headersCame(): void
  received(bytes: number): void
}

/** Also aborted by `outer`, with its reason. */
export function startDeadline(limits: Limits, outer: AbortSignal): Deadline {
  const late = new AbortController()
  let bytes = 0
  const headersTimer = setTimeout(
    () => late.abort(new SourceRefused('unreachable', `no answer within ${limits.headersMs / 1000} s`)),
    limits.headersMs,
  )
  const check = (elapsedMs: number) => {
    const dueMs = Math.max(limits.wholeMs, (bytes / limits.minSpeed) * 1000)
    if (dueMs <= elapsedMs) late.abort(new SourceRefused('unreachable', 'the answer came too slowly'))
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
