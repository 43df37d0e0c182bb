import { readFileSync } from 'node:fs'

/** A server that was started for measuring it. */
export interface Measured extends AsyncDisposable {
  readonly port: number
  /** From the start of the process to the line that tells where it listens, in milliseconds. */
  readonly startedAfter: number
  /** CPU time used so far, all threads and system calls included, in seconds. */
  cpu(): number
  /** Memory in use, in MB of 10^6 bytes. */
  rss(): number
}

/** Which core a process is kept on: servers on the first one, the client on the second. */
export const pinned = (core: 0 | 1, command: readonly string[]): string[] =>
  navigator.hardwareConcurrency > 1 ? ['taskset', '-c', String(core), ...command] : [...command]

/** Starts a server that prints `listening on <url>`; its log goes to a file, as it would in use. */
export async function startMeasured(command: readonly string[], log: string): Promise<Measured> {
  const started = performance.now()
  const child = Bun.spawn(pinned(0, command), { stdout: 'pipe', stderr: Bun.file(log), stdin: 'ignore' })
  const port = await heardPort(child.stdout)
  const startedAfter = performance.now() - started
  const stat = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
  return {
    port,
    startedAfter,
    cpu: () => {
      // After the name in parentheses: the 12th and 13th field are user and system time, in hundredths of a second.
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

/** Reads on after the line: a pipe nobody reads would hold the server up. */
async function heardPort(stdout: ReadableStream<Uint8Array>): Promise<number> {
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
