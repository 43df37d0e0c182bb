import { join } from 'node:path'
import { isObject, parseJson } from '../../catalogue/import/file/json'

/**
 * Loads the default catalogue in a process of its own, whose memory is given back when it ends: 35 MB that a server would
 * keep. Resolves to how many lines it has; undefined where it was not loaded, which is tried again once it is served.
 */
export async function loadApart(directory: string): Promise<number | undefined> {
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
  const report = code === 0 ? parseJson(said) : undefined
  return isObject(report) && report.failed === false ? Number(report.lines) : undefined
}

/** The settings were read, and warned about, by this process. */
const withoutSettings = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('KIROKU_')))

/** How this program is called: the executable by itself, the sources by way of Bun. */
const kiroku = import.meta.path.startsWith('/$bunfs/')
  ? [process.execPath]
  : [process.execPath, join(import.meta.dir, '../../main.ts')]
