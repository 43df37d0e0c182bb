import { isStderrTerminal } from './terminal'

export interface ProgressLine {
  show(text: string): void
  end(): void
}

/** A line on standard error that overwrites itself; nothing if that is not a terminal. */
export function createProgress(): ProgressLine {
  if (!isStderrTerminal()) return { show: () => {}, end: () => {} }
  let shownAt = 0
  return {
    show: (text) => {
      if (performance.now() - shownAt < 100) return
      shownAt = performance.now()
      process.stderr.write(`\r\x1b[K${text}`)
    },
    end: () => {
      if (shownAt > 0) process.stderr.write('\r\x1b[K')
    },
  }
}
