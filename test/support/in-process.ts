import { passwordCost } from '../../src/accounts/account/password'
import { allCommands } from '../../src/cli/commands'
import { findCommand } from '../../src/cli/find-command'
import { runKiroku } from '../../src/cli/run'
import { world } from '../../src/sources/fetch/web'
import { cheapPasswords } from './instance'
import { type Directory, type Ended, outputBy, run as runExecutable, type Surroundings } from './kiroku'

export interface InProcess extends Surroundings {
  /** Whether to hash passwords at the product's cost, 200 ms; by default cheaply. */
  readonly costlyPasswords?: boolean
  /** With it, waiting for a source takes no time: the command's clock is advanced by that many milliseconds instead. */
  readonly clock?: { ahead: number }
}

async function isToServe(args: readonly string[]): Promise<boolean> {
  try {
    return findCommand(await allCommands(), args).command.name === 'serve'
  } catch {
    return false
  }
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Like `run` of `kiroku.ts`, but in this process: starting the executable takes 80 ms of CPU time, which a test of a
 * command's output does not need. One command runs at a time; servers, and commands of another user or through another
 * program, still get their own process.
 */
export async function run(
  directory: Directory,
  args: readonly string[],
  surroundings: InProcess = {},
): Promise<Ended> {
  const { through, uid } = surroundings
  if ((await isToServe(args)) || through !== undefined || uid !== undefined)
    return await runExecutable(directory, args, surroundings)
  const ended = last.then(() => runAlone(directory, args, surroundings))
  last = ended.catch(() => {})
  return await ended
}

/** The standard output of a command that must succeed. */
export const output = outputBy(run)

async function runAlone(
  directory: Directory,
  args: readonly string[],
  { env = {}, input = '', clock, costlyPasswords = false }: InProcess,
): Promise<Ended> {
  const told = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] }
  const { PATH = '', HOME = '' } = process.env
  using _ = surround(directory.path, { PATH, HOME, ...env }, new Blob([input]), told)
  using _clock = clock && goAhead(clock)
  using _cost = costlyPasswords ? undefined : hashCheaply()
  const code = await runKiroku(args, process.env)
  const [stdout, stderr] = [told.stdout, told.stderr].map((pieces) => Buffer.concat(pieces).toString())
  return { code, stdout: stdout ?? '', stderr: stderr ?? '' }
}

/** Makes this process look like one started for a command, until disposed of. */
function surround(
  path: string,
  env: NodeJS.ProcessEnv,
  stdin: Blob,
  told: Readonly<Record<'stdout' | 'stderr', Uint8Array[]>>,
): Disposable {
  const before = { cwd: process.cwd(), umask: process.umask(), env: process.env }
  const { write, stdin: ownStdin } = Bun
  const isTerminal = process.stdin.isTTY
  process.chdir(path)
  process.env = env
  process.stdin.isTTY = false
  const keep = async (to: Uint8Array[], piece: string | Uint8Array) => to.push(Buffer.from(piece))
  const divert = (to: unknown, piece: never) => {
    if (to === Bun.stdout) return keep(told.stdout, piece)
    return to === Bun.stderr ? keep(told.stderr, piece) : write(to as string, piece)
  }
  Object.assign(Bun, { write: divert, stdin })
  return {
    [Symbol.dispose]: () => {
      Object.assign(Bun, { write, stdin: ownStdin })
      process.stdin.isTTY = isTerminal
      process.env = before.env
      process.umask(before.umask)
      process.chdir(before.cwd)
    },
  }
}

function goAhead(clock: { ahead: number }): Disposable {
  const { now } = Date
  const { sleep } = world
  Object.assign(Date, { now: () => now() + clock.ahead })
  const skip = async (ms: number) => {
    clock.ahead += ms
  }
  Object.assign(world, { sleep: skip })
  return {
    [Symbol.dispose]: () => {
      Object.assign(Date, { now })
      Object.assign(world, { sleep })
    },
  }
}

function hashCheaply(): Disposable {
  const before = { ...passwordCost }
  Object.assign(passwordCost, cheapPasswords)
  return { [Symbol.dispose]: () => void Object.assign(passwordCost, before) }
}
