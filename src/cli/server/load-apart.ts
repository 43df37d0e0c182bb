import { join } from 'node:path'

/**
 * Loads the default catalogue in a process of its own, whose memory is given back when it ends: 35 MB that a server would
 * keep. Resolves to whether it was loaded; what is left goes on once it is served.
 */
export async function loadApart(directory: string): Promise<boolean> {
  const child = Bun.spawn([...kiroku, 'catalogue', 'load', '--json', '--data', directory], {
    env: withoutSettings(process.env),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const end = () => child.kill()
  process.on('exit', end)
  const [code, said] = await Promise.all([child.exited, child.stdout.text()])
  process.off('exit', end)
  return code === 0 && said.trim() !== 'null'
}

/** The settings were read, and warned about, by this process. */
const withoutSettings = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('KIROKU_')))

/** How this program is called: the executable by itself, the sources by way of Bun. */
const kiroku = import.meta.path.startsWith('/$bunfs/')
  ? [process.execPath]
  : [process.execPath, join(import.meta.dir, '../../main.ts')]
