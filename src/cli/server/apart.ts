import { setPriority } from 'node:os'
import { join } from 'node:path'

export interface Ended {
  /** The exit code of the command. */
  readonly code: number
  /** What it wrote to standard output. */
  readonly said: string
}

/**
 * Runs a command in a process of its own, whose memory is given back when it ends; it is killed when this process ends.
 * It gets the words alone, without the settings of the environment. With `isQuiet` it has the lowest priority and what it
 * writes to standard error is lost.
 */
export async function runApart(words: readonly string[], { isQuiet = false } = {}): Promise<Ended> {
  const child = Bun.spawn([...kiroku, ...words], {
    env: withoutSettings(process.env),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: isQuiet ? 'ignore' : 'inherit',
  })
  if (isQuiet) setPriority(child.pid, 19)
  const end = () => child.kill()
  process.on('exit', end)
  const [code, said] = await Promise.all([child.exited, child.stdout.text()])
  process.off('exit', end)
  return { code, said }
}

/** The settings were read, and warned about, by this process. */
const withoutSettings = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('KIROKU_')))

/** How this program is called: the executable by itself, the sources by way of Bun. */
const kiroku = import.meta.path.startsWith('/$bunfs/')
  ? [process.execPath]
  : [process.execPath, join(import.meta.dir, '../../main.ts')]
