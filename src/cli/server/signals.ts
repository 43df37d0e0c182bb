import { isTerminal } from '../terminal'

export interface Signals {
  readonly stop: Promise<string>
  /** From now on a signal resolves `stop`; until then, it ends the process. */
  ready(): void
  onIgnored(report: (signal: string) => void): void
}

/**
 * SIGTERM and SIGINT stop the server; a second one ends the process at once. SIGHUP stops it only if it was
 * started from a terminal: to a service it means "reload the configuration", which kiroku does not do, so it
 * is ignored. SIGUSR1 and SIGUSR2 are ignored too; without a listener they would end the process.
 */
export function watchSignals(hasTerminal = [0, 1, 2].some(isTerminal)): Signals {
  const { promise, resolve } = Promise.withResolvers<string>()
  let onStopSignal = (_signal: string): void => process.exit(0)
  let tell = (_signal: string): void => {}
  const stopping = ['SIGTERM', 'SIGINT', ...(hasTerminal ? ['SIGHUP'] : [])]
  const ignored = ['SIGUSR1', 'SIGUSR2', ...(hasTerminal ? [] : ['SIGHUP'])]
  for (const signal of stopping) process.on(signal, () => onStopSignal(signal))
  for (const signal of ignored) process.on(signal, () => tell(signal))
  const first = (signal: string) => {
    onStopSignal = () => process.exit(1)
    resolve(signal)
  }
  return {
    stop: promise,
    ready: () => {
      onStopSignal = first
    },
    onIgnored: (to) => {
      tell = to
    },
  }
}
