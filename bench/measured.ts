import { readFileSync } from 'node:fs'

export interface MeasuredServer extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  /** Time from the start of the process to the line with its address, in milliseconds. */
  readonly startedAfter: number
  /** CPU seconds so far, of all threads and including system calls. */
  cpu(): number
  /** Resident memory in MB of 10^6 bytes. */
  rss(): number
}

/** In the notation of `taskset`. */
export type Cores = 0 | 1 | '0,1'

/** Pins a process to cores: servers to the first, the client to the second, unless a bench asks for both. */
export const pinned = (cores: Cores, command: readonly string[]): string[] =>
  navigator.hardwareConcurrency > 1 ? ['taskset', '-c', String(cores), ...command] : [...command]

/** The server must print `listening on <url>`. */
export async function startMeasured(
  command: readonly string[],
  log: string,
  cores: Cores = 0,
): Promise<MeasuredServer> {
  const started = performance.now()
  const child = Bun.spawn(pinned(cores, command), { stdout: 'pipe', stderr: Bun.file(log), stdin: 'ignore' })
  const port = await readPort(child.stdout)
  const startedAfter = performance.now() - started
  const stat = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
  return {
    port,
    pid: child.pid,
    startedAfter,
    cpu: () => {
      // Fields 12 and 13 after the name in parentheses: user and system time in hundredths of a second.
      const fields = stat('stat')
        .replace(/^.*\) /s, '')
        .split(' ')
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    rss: () => (Number(/VmRSS:\s+(\d+)/.exec(stat('status'))?.[1]) * 1024) / 1e6,
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await child.exited
    },
  }
}

/** Keeps reading afterwards, since a full pipe would block the server. */
async function readPort(stdout: ReadableStream<Uint8Array>): Promise<number> {
  const reader = stdout.getReader()
  let heard = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`it did not start: ${heard}`)
    heard += new TextDecoder().decode(value)
    const port = /listening on \S+:(\d+)/.exec(heard)?.[1]
    if (port === undefined) continue
    void drain(reader)
    return Number(port)
  }
}

async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}
