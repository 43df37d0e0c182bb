import { clampFutureTimes } from '../db/future-times'
import type { Deps } from '../deps'

/** Returns a check for each request: if the clock was set back, it clamps the times in the database. */
export function watchClock(deps: Pick<Deps, 'now' | 'steady' | 'write' | 'log'>): () => void {
  const difference = () => deps.now() - deps.steady()
  let largest = difference()
  return () => {
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
