import type { Settings } from '../../config'
import { createLog, type Log } from '../../log'
import { createLogBudget } from '../../log/budget'
import { isStderrTerminal } from '../terminal'

export interface OpenLog {
  readonly log: Log
  /** Resolves once everything is written, or after two seconds: whatever reads the log may have stopped. */
  finish(): Promise<void>
}

/** Writes to standard error, as configured; whatever waits at the process's end, too. */
export function openLog(
  { logLevel, logFormat, logLimit }: Pick<Settings, 'logLevel' | 'logFormat' | 'logLimit'>,
  now: () => number,
): OpenLog {
  const automatic = isStderrTerminal() ? 'human' : 'json'
  const lines = new LineWriter(Bun.stderr.writer())
  process.on('exit', () => lines.writeRest())
  const log = createLog({
    format: logFormat === 'auto' ? automatic : logFormat,
    level: logLevel,
    budget: logLimit === null ? undefined : createLogBudget(logLimit, () => performance.now()),
    now,
    write: (line, mayWait) => lines.add(line, mayWait),
  })
  return { log, finish: () => Promise.race([lines.flush(), Bun.sleep(2000)]) }
}

/** In characters: whatever reads the log may be slow, or have stopped. */
const mostWaiting = 1_000_000

/** In characters. A write for every line took a sixth of the time of a request for a kept page. */
const mostGathered = 65_536

/** How long a line may wait for others, in milliseconds. */
const patience = 100

/**
 * Writes lines in their order, several at once, one write at a time. Drops lines while `mostWaiting` wait. Not to
 * `process.stderr`, for the reason in `terminal.ts`.
 */
export class LineWriter {
  readonly #out: Pick<Bun.FileSink, 'write' | 'flush'>
  /** Given to no write yet. */
  #gathered: string[] = []
  #gatheredSize = 0
  /** Of the write that has not ended. */
  #writtenSize = 0
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(out: Pick<Bun.FileSink, 'write' | 'flush'>) {
    this.#out = out
  }

  /** `mayWait`: for others, for up to 100 ms; otherwise it is written at once, after those that wait. */
  add(line: string, mayWait: boolean): void {
    if (this.#gatheredSize + this.#writtenSize >= mostWaiting) return
    this.#gathered.push(line)
    this.#gatheredSize += line.length + 1
    if (!mayWait || this.#gatheredSize >= mostGathered) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), patience).unref()
  }

  /** Resolves once every line so far is written; never, if the reader has stopped. */
  flush(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  /** For the end of the process: synchronous, as far as the sink takes it. */
  writeRest(): void {
    if (this.#gathered.length > 0) void this.#write(this.#take())
  }

  async #writeAll(): Promise<void> {
    while (this.#gathered.length > 0) {
      const text = this.#take()
      this.#writtenSize = text.length
      await this.#write(text)
      this.#writtenSize = 0
    }
  }

  #take(): string {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = `${this.#gathered.join('\n')}\n`
    this.#gathered = []
    this.#gatheredSize = 0
    return text
  }

  async #write(text: string): Promise<void> {
    try {
      this.#out.write(text)
      await this.#out.flush()
    } catch {
      // A closed log or a full disk must not stop the server.
    }
  }
}
