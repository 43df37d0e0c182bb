import { isObject, parseJson } from '../../catalogue/import/file/json'
import { runApart } from './apart'

/**
 * Loads the default catalogue in a process of its own: 35 MB that a server would keep. Resolves to how many lines it has;
 * undefined where it was not loaded, which is tried again once it is served.
 */
export async function loadApart(directory: string): Promise<number | undefined> {
  const { code, said } = await runApart(['catalogue', 'load', '--json', '--data', directory])
  const report = code === 0 ? parseJson(said) : undefined
  return isObject(report) && report.failed === false ? Number(report.lines) : undefined
}
