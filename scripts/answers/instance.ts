import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Clock, createClock } from './clock'

export interface Outcome {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly stdin?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Uses the real clock: a long command may hang under faketime. */
  readonly isLong?: boolean
  readonly note?: string
}

/** The executable in a folder of its own, with its data below it in `data`, and a server if one was started. */
export interface Instance {
  readonly folder: string
  readonly clock: Clock
  readonly port: number
  run(words: readonly string[], running?: RunOptions): Promise<Outcome>
  serve(flags: readonly string[]): Promise<void>
  stop(): Promise<Outcome>
  remove(): void
}

export function createInstance(executable: string): Instance {
  const folder = mkdtempSync(join(tmpdir(), 'kiroku-answers-'))
  const clock = createClock(folder)
  const port = freePort()
  const program = resolve(executable)
  const base = { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8' }
  const spawn = (words: readonly string[], { stdin = '', environment = {} }: RunOptions = {}) =>
    Bun.spawn([program, ...words], {
      cwd: folder,
      env: { ...base, ...environment },
      stdin: new TextEncoder().encode(stdin),
      stdout: 'pipe',
      stderr: 'pipe',
    })
  let server: ReturnType<typeof spawn> | undefined
  let printed: Promise<Outcome> | undefined
  return {
    folder,
    clock,
    port,
    run: async (words, running) => {
      const environment = { ...(running?.isLong ? {} : clock.still), ...running?.environment }
      const child = spawn(words, { ...running, environment })
      const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
      const outcome = await outcomeOf(child)
      clearTimeout(timer)
      if (child.signalCode === 'SIGKILL') throw new Error(`hung, so record again: ${words.join(' ')}`)
      return outcome
    },
    serve: async (flags) => {
      server = spawn(['serve', '--port', String(port), ...flags], { environment: clock.environment })
      printed = outcomeOf(server)
      await waitUntilReady(port)
    },
    stop: async () => {
      server?.kill()
      return (await printed) ?? { status: 0, stdout: '', stderr: '' }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function outcomeOf(child: Bun.Subprocess<Uint8Array, 'pipe', 'pipe'>): Promise<Outcome> {
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { status, stdout, stderr }
}

async function waitUntilReady(port: number): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined)
    if (answer?.ok) return
    await Bun.sleep(20)
  }
  throw new Error('the server does not answer')
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  const { port } = listener
  listener.stop(true)
  return port
}
