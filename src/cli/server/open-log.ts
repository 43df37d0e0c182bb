import type { Settings } from '../../config'
import { createLog, type Log } from '../../log'
import { createLogBudget } from '../../log/budget'
import { isStderrTerminal } from '../terminal'

/** Writes to standard error, as configured. */
export function openLog(
  { logLevel, logFormat, logLimit }: Pick<Settings, 'logLevel' | 'logFormat' | 'logLimit'>,
  now: () => number,
): Log {
  const automatic = isStderrTerminal() ? 'human' : 'json'
  return createLog({
    format: logFormat === 'auto' ? automatic : logFormat,
    level: logLevel,
    budget: logLimit === null ? undefined : createLogBudget(logLimit, () => performance.now()),
    now,
    write: boundedWriter(Bun.stderr.writer()),
  })
}

/** In characters: whatever reads the log may be slow, or have stopped. */
const mostWaiting = 1_000_000

/** Drops lines while too many are waiting. Not `process.stderr`, for the reason in `terminal.ts`. */
export function boundedWriter(out: Pick<Bun.FileSink, 'write' | 'flush'>): (line: string) => void {
  let waiting = 0
  const write = async (line: string) => {
    waiting += line.length
    try {
      out.write(`${line}\n`)
      await out.flush()
    } finally {
      waiting -= line.length
    }
  }
  return (line) => {
    // A closed log or a full disk must not stop the server.
    if (waiting < mostWaiting) void write(line).catch(() => {})
  }
}
