import { clampFutureTimes } from '../db/future-times'
import type { Deps } from '../deps'

/**
 * Returns what is called for each request: it notices that the clock was set back, and has the times in the database
 * clamped before any later write. It reads two clocks.
 */
export function watchClock(deps: Pick<Deps, 'now' | 'steady' | 'write' | 'log'>): () => void {
  const difference = () => deps.now() - deps.steady()
  let largest = difference()
  return () => {
    const before = largest
    const current = difference()
    const setBackBy = before - current
    // A clock that is kept right by small corrections is not set back.
    if (setBackBy > 0 && setBackBy < 1000) return
    largest = current
    if (setBackBy <= 0) return
    deps.log('clock_set_back', { seconds: Math.round(setBackBy / 1000) })
    void clampTimes(deps).then((isDone) => {
      // The next request tries again.
      if (!isDone) largest = before
    })
  }
}

/** Clamps the times in the database to the time now. Returns whether that could be done; logs why not. */
export async function clampTimes({ now, write, log }: Pick<Deps, 'now' | 'write' | 'log'>): Promise<boolean> {
  try {
    await write((tx) => clampFutureTimes(tx, now()))
    return true
  } catch (cause) {
    log('times_not_clamped', { why: String(cause) })
    return false
  }
}
