/** SIGTERM and SIGINT, as a server hears them. */
export interface Signals {
  /** Resolves with the name of the first signal. */
  readonly stop: Promise<string>
  /** From now on a signal resolves `stop`; before, there is nothing to finish and it ends the process. */
  ready(): void
}

/** Listens for the signals; a second one ends the process at once, with what is then still running. */
export function watchSignals(): Signals {
  const { promise, resolve } = Promise.withResolvers<string>()
  let hear = (_signal: string): void => process.exit(0)
  process.on('SIGTERM', (signal) => hear(signal))
  process.on('SIGINT', (signal) => hear(signal))
  const first = (signal: string) => {
    hear = () => process.exit(1)
    resolve(signal)
  }
  return {
    stop: promise,
    ready: () => {
      hear = first
    },
  }
}
