import { gzipSync } from 'bun'
import { bundlePath, bundleScript, workerPath } from './bundle'

/** Bytes of what every visit loads, compressed (D121). */
const most = { [bundlePath]: 12 * 1024, [workerPath]: 2 * 1024 }

/** Bundles it and names what is too large. */
export async function weightProblems(): Promise<string[]> {
  await bundleScript()
  const weights = Object.entries(most).map(async ([path, limit]) => {
    const bytes = gzipSync(await Bun.file(path).bytes(), { level: 9 }).length
    return bytes > limit ? [`${path}: ${bytes} bytes compressed, ${limit} are allowed (D121)`] : []
  })
  return (await Promise.all(weights)).flat()
}
