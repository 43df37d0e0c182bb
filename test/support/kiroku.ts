import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What to run: the sources, or the compiled file named by KIROKU_TEST_EXECUTABLE. */
const executable = process.env.KIROKU_TEST_EXECUTABLE
const command = executable === undefined ? ['bun', join(import.meta.dir, '../../src/main.ts')] : [executable]

/** Where commands run: an initially empty directory. */
export interface Directory extends Disposable {
  readonly path: string
  /** A path inside it. */
  file(name: string): string
}

export function temporaryDirectory(): Directory {
  const path = mkdtempSync(join(tmpdir(), 'kiroku-cli-'))
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

export interface Surroundings {
  /** Variables besides PATH and HOME: nothing of the test's own environment reaches the command. */
  readonly env?: Readonly<Record<string, string>>
  /** A program that is passed the command, such as a shell that sets limits first. */
  readonly through?: readonly string[]
  readonly input?: string | Uint8Array<ArrayBuffer>
  /** Whether a server loads the default catalogue; by default not. */
  readonly catalogue?: boolean
  /** Another version than the one under test: the path of its executable. */
  readonly version?: string | undefined
  /** The user who runs it; only root can choose another one. */
  readonly uid?: number
}

/** How a command ended. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command to its end in the directory; `data` below it is the default data directory. */
export async function run(
  directory: Directory,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Ended> {
  const child = spawn(directory, args, surroundings)
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  return { code, stdout, stderr }
}

export const outputBy =
  <S extends Surroundings>(
    runCommand: (directory: Directory, args: readonly string[], surroundings?: S) => Promise<Ended>,
  ) =>
  async (directory: Directory, args: readonly string[], surroundings?: S): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(directory, args, surroundings)
    if (code !== 0) throw new Error(`kiroku ${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }

/** The standard output of a command that must succeed. */
export const output = outputBy(run)

export interface Server extends AsyncDisposable {
  /** The address it listens on. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Sends a signal and waits for the end. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<Ended>
  signal(signal: NodeJS.Signals): void
  readonly exited: Promise<Ended>
}

/** Starts a server on a free port and waits until it listens. */
export async function startServer(
  directory: Directory,
  args: readonly string[] = [],
  surroundings: Surroundings = {},
): Promise<Server> {
  const without = surroundings.catalogue === true ? [] : ['--no-catalogue']
  const child = spawn(directory, ['serve', '--port', '0', ...without, ...args], surroundings)
  const stderr = child.stderr.text()
  const [heard, rest] = await untilListening(child.stdout)
  const exited = Promise.all([child.exited, rest, stderr]).then(([code, later, errors]) => {
    return { code, stdout: heard + later, stderr: errors }
  })
  const url = /listening on (\S+)/.exec(heard)?.[1]
  if (url === undefined) throw new Error(`it did not start: ${(await exited).stderr}`)
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    exited,
    signal: (signal) => child.kill(signal),
    end: (signal) => {
      child.kill(signal)
      return exited
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Starts a command and leaves the rest to the test. */
export function spawn(
  directory: Directory,
  args: readonly string[],
  { env = {}, input = '', uid, through = [], version }: Surroundings = {},
) {
  const { PATH = '', HOME = '' } = process.env
  return Bun.spawn([...through, ...(version === undefined ? command : [version]), ...args], {
    cwd: directory.path,
    env: { PATH, HOME, ...env },
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
}

/** The output up to the line with the URL, and a promise of the rest. */
async function untilListening(stdout: ReadableStream<Uint8Array>): Promise<[string, Promise<string>]> {
  const reader = stdout.getReader()
  const decoder = new TextDecoder()
  let heard = ''
  while (!/listening on \S+\n/.test(heard)) {
    const { value, done } = await reader.read()
    if (done) return [heard, Promise.resolve('')]
    heard += decoder.decode(value, { stream: true })
  }
  const rest = async () => {
    let later = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return later
      later += decoder.decode(value, { stream: true })
    }
  }
  return [heard, rest()]
}

/** A port that nothing listens on now. */
export function freePort(): number {
  using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  return Number(server.port)
}
