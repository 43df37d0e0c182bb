/** Runs until it is stopped. */
export interface Job {
  /** Resolves after the end of the current run. */
  stop(): Promise<void>
}

interface Repetition {
  work(): Promise<void>
  /** From the end of a run to the next one. */
  pauseMs(): number
  failed(cause: unknown): void
}

/** Runs for the first time after a second, so that the first requests are not delayed. */
export function repeat({ work, pauseMs, failed }: Repetition): Job {
  let running = Promise.resolve()
  let isStopping = false
  let timer: ReturnType<typeof setTimeout>
  const plan = (ms: number) => {
    timer = setTimeout(() => {
      running = work()
        .catch(failed)
        .then(() => {
          if (!isStopping) plan(pauseMs())
        })
    }, ms)
    timer.unref()
  }
  plan(1000)
  return {
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      await running
    },
  }
}
