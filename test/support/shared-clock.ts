/** A clock for several runs: once all of them sleep, it moves to the first that wakes. */
export function sharedClock(start: number, runs: number) {
  const sleepers: { readonly at: number; wake(): void }[] = []
  let [now, awake] = [start, runs]
  const advance = () => {
    if (awake > 0 || sleepers.length === 0) return
    now = Math.min(...sleepers.map(({ at }) => at))
    for (const sleeper of sleepers.splice(0)) {
      if (sleeper.at > now) sleepers.push(sleeper)
      else {
        awake++
        sleeper.wake()
      }
    }
  }
  const stop = () => {
    awake--
    advance()
  }
  return {
    now: () => now,
    sleep: (ms: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ at: now + ms, wake })
        stop()
      }),
    /** Called when a run has ended. */
    leave: stop,
  }
}
