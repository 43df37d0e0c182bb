import { errorsAreSeen } from './terminal'

/** Shows how far a long work is. */
export interface Progress {
  show(text: string): void
  /** Removes the line. */
  end(): void
}

/** One line on standard error that is written over; nothing where that is no terminal. */
export function createProgress(): Progress {
  if (!errorsAreSeen()) return { show: () => {}, end: () => {} }
  let shownAt = 0
  return {
    show: (text) => {
      // Ten times a second is as often as anybody can read.
      if (performance.now() - shownAt < 100) return
      shownAt = performance.now()
      process.stderr.write(`\r\x1b[K${text}`)
    },
    end: () => {
      if (shownAt > 0) process.stderr.write('\r\x1b[K')
    },
  }
}
