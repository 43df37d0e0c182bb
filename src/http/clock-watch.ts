import { clampFutureTimes } from '../db/future-times'
import type { Deps } from '../deps'
import { isoTime } from '../lib/time'

/**
 * Returns a check for each request: if the clock was set back, it clamps the times in the database. A clock that is
 * far behind what was written before is more likely to be wrong itself: then it changes nothing, and returns false.
 */
export function watchClock(
  deps: Pick<Deps, 'now' | 'steady' | 'write' | 'log' | 'wallClock'>,
): () => boolean {
  const difference = () => deps.now() - deps.steady()
  let largest = difference()
  let isBehind = false
  return () => {
    const last = deps.wallClock.behind()
    if (last !== undefined && !isBehind) deps.log('clock_behind', { why: clockText(deps.now(), last) })
    isBehind = last !== undefined
    if (isBehind) return false
    check()
    return true
  }
  function check(): void {
    const before = largest
    const current = difference()
    const setBackBy = before - current
    // Corrections of less than a second are normal.
    if (setBackBy > 0 && setBackBy < 1000) return
    largest = current
    if (setBackBy <= 0) return
    deps.log('clock_set_back', { seconds: Math.round(setBackBy / 1000) })
    void clampTimes(deps).then((isDone) => {
      if (!isDone) largest = before
    })
  }
}

/** Times are epoch milliseconds; `last` is that of the last write. */
export const clockText = (now: number, last: number): string =>
  `the clock says ${isoTime(now)}, but the last write was at ${isoTime(last)}`

/** Returns false, and logs why, if the write failed. */
export async function clampTimes({ now, write, log }: Pick<Deps, 'now' | 'write' | 'log'>): Promise<boolean> {
  try {
    await write((tx) => clampFutureTimes(tx, now()))
    return true
  } catch (cause) {
    log('times_not_clamped', { why: String(cause) })
    return false
  }
}
