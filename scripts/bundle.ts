import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const bundlePath = 'dist/script.js'
export const workerPath = 'dist/worker.js'

/** Of single pages. */
const pageScripts = [
  ['outbox/phone-page.ts', 'phone.js'],
  ['single/failure.ts', 'failure.js'],
  ['single/passkeys.ts', 'passkeys.js'],
  ['strip.ts', 'strip.js'],
  ['share.ts', 'share.js'],
  ['push.ts', 'push.js'],
] as const

/** What pages load and the server embeds: the script, the service worker, and the icon in pixels. */
export async function bundleScript(root = '.'): Promise<void> {
  await bundle(root, 'src/pages/script/main.ts', bundlePath)
  for (const [from, to] of pageScripts) await bundle(root, `src/pages/script/${from}`, `dist/${to}`)
  await bundle(root, 'src/pages/worker/main.ts', workerPath)
  for (const icon of pixelIcons) await draw(root, icon)
}

/** Bundles scripts for browsers into one module, in about 10 ms. */
async function bundle(root: string, from: string, to: string): Promise<void> {
  const { outputs } = await Bun.build({ entrypoints: [`${root}/${from}`], target: 'browser', minify: true })
  // The worker is a classic script: an empty export would be an error there.
  const text = ((await outputs[0]?.text()) ?? '').replace(/export\s*\{\s*\};?\s*$/, '')
  const path = `${root}/${to}`
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) await writeWhole(path, text)
}

const pixelIcons = [
  { from: 'icon.svg', to: 'icon-192.png', width: 192 },
  { from: 'icon.svg', to: 'icon-512.png', width: 512 },
  { from: 'icon-maskable.svg', to: 'icon-maskable-512.png', width: 512 },
  { from: 'icon-maskable.svg', to: 'icon-180.png', width: 180 },
] as const

/** Phones want pixels. Drawn again only if the drawing has changed. */
async function draw(root: string, { from, to, width }: (typeof pixelIcons)[number]): Promise<void> {
  const [drawing, path] = [join(root, 'src/pages/assets', from), join(root, 'dist', to)]
  if (existsSync(path) && statSync(path).mtimeMs > statSync(drawing).mtimeMs) return
  const { Resvg } = await import('@resvg/resvg-js')
  const picture = new Resvg(readFileSync(drawing, 'utf8'), { fitTo: { mode: 'width', value: width } })
  await writeWhole(path, picture.render().asPng())
}

/** Tests running in parallel may be reading it. */
async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const fresh = `${path}.${process.pid}`
  mkdirSync(join(path, '..'), { recursive: true })
  await Bun.write(fresh, content)
  renameSync(fresh, path)
}
