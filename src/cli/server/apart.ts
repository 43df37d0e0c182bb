import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

export interface Ended {
  readonly code: number
  readonly said: string
  /** What it wrote to standard error, unless that was passed on. */
  readonly complained: string
  /** CPU time of all its threads in milliseconds. */
  readonly cpuMs: number
}

export interface ApartOptions {
  readonly signal?: AbortSignal
  /** Runs at low priority, and keeps its standard error out of the log. */
  readonly isQuiet?: boolean
  /** Secrets, which must not be passed as arguments. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs a command in a process of its own, whose memory is freed when it ends; it is killed when this process
 * ends. It gets only `words` and `env`, not the settings in this process's environment.
 */
export async function runApart(
  words: readonly string[],
  { signal, isQuiet = false, env = {} }: ApartOptions = {},
): Promise<Ended> {
  const child = Bun.spawn([...kiroku, ...words], {
    env: { ...withoutSettings(process.env), ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: isQuiet ? 'pipe' : 'inherit',
    ...(signal && { signal }),
  })
  if (isQuiet) lowerPriority(child.pid)
  const end = () => child.kill()
  process.on('exit', end)
  const complaints = child.stderr === undefined ? '' : child.stderr.text()
  const [code, said, complained] = await Promise.all([child.exited, child.stdout.text(), complaints])
  process.off('exit', end)
  return { code, said, complained, cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000 }
}

/** Threads it starts later inherit the priority. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has already ended, or the system does not allow this.
  }
}

/** This process has already read the settings and warned about them. */
const withoutSettings = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('KIROKU_')))

/** How to run this program: the executable alone, the sources through Bun. */
const kiroku = import.meta.path.startsWith('/$bunfs/')
  ? [process.execPath]
  : [process.execPath, join(import.meta.dir, '../../main.ts')]
