import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

export interface Ended {
  readonly code: number
  readonly said: string
  /** What it wrote to standard error, where that is not passed on. */
  readonly complained: string
  /** CPU time in milliseconds, of all its threads. */
  readonly cpuMs: number
}

export interface ApartOptions {
  readonly signal?: AbortSignal
  /** At low priority, with its complaints kept from the log. */
  readonly isQuiet?: boolean
  /** Secrets, which must not be words. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs a command in a process of its own, whose memory is given back when it ends; it is killed when this process ends.
 * It gets the words and `env` alone, without the settings of the environment.
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

/** The threads that it starts later inherit it. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, or the system does not allow it.
  }
}

/** The settings were read, and warned about, by this process. */
const withoutSettings = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('KIROKU_')))

/** How this program is called: the executable by itself, the sources by way of Bun. */
const kiroku = import.meta.path.startsWith('/$bunfs/')
  ? [process.execPath]
  : [process.execPath, join(import.meta.dir, '../../main.ts')]
