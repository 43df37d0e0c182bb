import { isAboutSettings, optionTable } from '../config'
import { Failure } from '../lib/failure'
import { stackOf } from '../log/stack'
import { type Environment, unknownVariables } from '../options/environment'
import type { CliCall } from './command'
import { commands } from './commands'
import { compileHotCode } from './compile-hot-code'
import { reportOf } from './failed'
import { findCommand, isToServe } from './find-command'
import { helpOn } from './help'
import { parseArguments } from './parse'
import { createFlagReader, createOptionReader } from './settings/given'
import { surveySettings } from './settings/survey'

/** Returns the exit code; never throws. */
export async function runKiroku(argv: readonly string[], env: Environment): Promise<number> {
  if (isToServe(argv)) takeSmallHeap(argv, process.env)
  try {
    await run(argv, env)
    return 0
  } catch (cause) {
    // The reader closed the pipe, as in `kiroku user list | head`.
    if (isClosedPipe(cause)) return 0
    const { line, exitCode } = reportOf(cause)
    const verbose = argv.includes('--verbose') || env.KIROKU_VERBOSE === 'true'
    const shown = verbose && cause instanceof Error ? `\n${stackOf(cause)}` : ''
    await note(`kiroku: ${line}${shown}`).catch(() => {})
    return exitCode
  }
}

/**
 * JavaScriptCore lets its heap grow in proportion to the machine's memory: with 24 GB, a flood of distinct requests took 289 MB
 * instead of 195. With this as its memory, in bytes, it collects as early as on a small machine. It reads the variable at the
 * start of a process, and only from the environment.
 */
const variable = 'BUN_JSC_forceRAMSize'
const bytes = '201326592'

/**
 * Replaces this process by the same program with that variable, unless it has one already: same pid, arguments and
 * descriptors. To be called before anything is opened or printed. Takes the variable out of `env` again, as child
 * processes are short and should rather be fast.
 */
export function takeSmallHeap(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  if (env[variable] === bytes) delete env[variable]
  else if (env[variable] === undefined && isExecutable) restart(argv, { ...env, [variable]: bytes })
}

/** The sources are run by a runtime with options of its own. */
const isExecutable = import.meta.path.startsWith('/$bunfs/')

function restart(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  try {
    process.execve?.(process.execPath, [process.execPath, ...argv], env)
  } catch {
    // Where this is forbidden, the server runs with a larger heap.
  }
}

async function run(argv: readonly string[], env: Environment): Promise<void> {
  const { command: listed, rest } = findCommand(commands, argv)
  const command = await listed.load()
  if (command.name !== 'serve') compileHotCode()
  const { flags, operands, help } = parseArguments(command, rest)
  if (help) return await print(helpOn(command))
  const survey = () => surveySettings(flags, env)
  if (isAboutSettings(command.name))
    return await command.run(callOf({ ...createFlagReader(flags), operands, survey }))
  const unknown = unknownVariables(env, optionTable)
  if (unknown.length > 0) await note(`kiroku: unknown environment variables, ignored: ${unknown.join(', ')}`)
  await command.run(callOf({ ...createOptionReader(flags, env), operands, survey }))
}

function callOf(given: Pick<CliCall, 'get' | 'operands' | 'survey'>): CliCall {
  return {
    ...given,
    print,
    note,
    now: Date.now,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  }
}

// Bun.write waits until the text is written; with process.stdout.write, process.exit would lose the end.
async function print(output: string | Uint8Array): Promise<void> {
  await Bun.write(Bun.stdout, typeof output === 'string' ? lines(output) : output)
}

async function note(text: string): Promise<void> {
  await Bun.write(Bun.stderr, lines(text))
}

const lines = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

const isClosedPipe = (cause: unknown) =>
  cause instanceof Error && !(cause instanceof Failure) && 'code' in cause && cause.code === 'EPIPE'
