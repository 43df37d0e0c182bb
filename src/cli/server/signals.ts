import { isatty } from 'node:tty'

/** The signals that a server hears. */
export interface Signals {
  /** Resolves with the name of the first signal that tells it to stop. */
  readonly stop: Promise<string>
  /** From now on a signal resolves `stop`; before, there is nothing to finish and it ends the process. */
  ready(): void
  /** From now on a signal that changes nothing is told. */
  onIgnored(tell: (signal: string) => void): void
}

/**
 * Listens for the signals; a second one that tells to stop ends the process at once, with what is then still running.
 *
 * SIGTERM and SIGINT tell to stop. SIGHUP does so where the server was started from a terminal, as it says that this was
 * closed; to a service it says by convention that it should read its configuration again, which kiroku does only when it
 * starts: there, and under nohup, it changes nothing. Nor do SIGUSR1 and SIGUSR2, which end a process that does not
 * listen for them.
 */
export function watchSignals(hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))): Signals {
  const { promise, resolve } = Promise.withResolvers<string>()
  let hear = (_signal: string): void => process.exit(0)
  let tell = (_signal: string): void => {}
  const stopping = ['SIGTERM', 'SIGINT', ...(hasTerminal ? ['SIGHUP'] : [])]
  const ignored = ['SIGUSR1', 'SIGUSR2', ...(hasTerminal ? [] : ['SIGHUP'])]
  for (const signal of stopping) process.on(signal, () => hear(signal))
  for (const signal of ignored) process.on(signal, () => tell(signal))
  const first = (signal: string) => {
    hear = () => process.exit(1)
    resolve(signal)
  }
  return {
    stop: promise,
    ready: () => {
      hear = first
    },
    onIgnored: (to) => {
      tell = to
    },
  }
}
