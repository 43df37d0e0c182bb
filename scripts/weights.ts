import { Glob, gzipSync } from 'bun'
import { bundlePath, bundleScript, workerPath } from './bundle'

/** Bytes of what every visit loads, and of the script of a year (D92), compressed (D121). */
const most = { [bundlePath]: 12 * 1024, [workerPath]: 2 * 1024, 'dist/share.js': 1536 }

const mostOfStyles = 26 * 1024

/** Bundles it and names what is too large. */
export async function weightProblems(): Promise<string[]> {
  await bundleScript()
  const weights = Object.entries(most).map(async ([path, limit]) =>
    tooLarge(path, await Bun.file(path).bytes(), limit),
  )
  return [...(await Promise.all(weights)), tooLarge(styles, await styleSheet(), mostOfStyles)].flat()
}

function tooLarge(what: string, text: Uint8Array<ArrayBuffer>, limit: number): string[] {
  const bytes = gzipSync(text, { level: 9 }).length
  return bytes > limit ? [`${what}: ${bytes} bytes compressed, ${limit} are allowed (D121)`] : []
}

const styles = 'src/pages/assets/style'

/** All of it is one style sheet (`src/pages/assets.ts`). */
async function styleSheet(): Promise<Uint8Array<ArrayBuffer>> {
  const files = [...new Glob('*.css').scanSync(styles)].sort()
  const texts = await Promise.all(files.map((file) => Bun.file(`${styles}/${file}`).text()))
  return new TextEncoder().encode(texts.join('\n'))
}
