/** Runs one task at a time, in order; with `most` tasks queued, another one throws `full()`. */
export function oneAtATime(most: number, full: () => Error): <T>(work: () => Promise<T>) => Promise<T> {
  let isWorking = false
  const waiting: (() => void)[] = []
  return async (work) => {
    if (waiting.length >= most) throw full()
    if (isWorking) await new Promise<void>((resolve) => waiting.push(resolve))
    isWorking = true
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) isWorking = false
      else next()
    }
  }
}
