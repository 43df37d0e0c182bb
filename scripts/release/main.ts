import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { $ } from 'bun'
import manifest from '../../package.json'
import { makeAssets, makeExecutable } from '../compile'
import { graphiqlMetafile } from '../graphiql'
import { packArchive } from './archive'
import { billOfMaterials } from './bill-of-materials'
import { releaseNotes } from './notes'
import { packagesIn } from './packages'

/** On x64 for every processor, as those of home servers may lack AVX2. */
const targets = {
  'linux-x64': 'bun-linux-x64-baseline',
  'linux-arm64': 'bun-linux-arm64',
  'linux-x64-musl': 'bun-linux-x64-musl-baseline',
  'linux-arm64-musl': 'bun-linux-arm64-musl',
}

const out = 'dist/release'

/** `bun run release [PLATFORM…]`: makes a version's files in `dist/release`, for all platforms or those named. */
async function release(names: readonly string[]): Promise<void> {
  const wanted = Object.entries(targets).filter(([name]) => names.length === 0 || names.includes(name))
  if (wanted.length < Math.max(names.length, 1))
    throw new Error(`platforms: ${Object.keys(targets).join(', ')}`)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  await makeAssets()
  await makeExecutable(`${out}/own/kiroku`, undefined)
  for (const [name, target] of wanted) {
    const executable = `${out}/${name}/kiroku`
    await makeExecutable(executable, target, [`--metafile=${out}/${name}/metafile.json`])
    await packArchive({ executable, own: `${out}/own/kiroku`, archive: `${out}/${titleOf(name)}.tar.gz` })
  }
  const [[anyName = ''] = []] = wanted
  const packages = packagesIn(
    await Bun.file(`${out}/${anyName}/metafile.json`).json(),
    await graphiqlMetafile(),
  )
  await Bun.write(`${out}/${titleOf('sbom')}.cdx.json`, await billOfMaterials(packages))
  await Bun.write(`${out}/NOTES.md`, releaseNotes(await Bun.file('CHANGELOG.md').text(), manifest.version))
  for (const name of ['own', ...wanted.map(([name]) => name)]) rmSync(join(out, name), { recursive: true })
  await writeChecksums()
}

const titleOf = (name: string): string => `kiroku-${manifest.version}-${name}`

/** In the format of `sha256sum --check`. */
async function writeChecksums(): Promise<void> {
  const names = [...new Bun.Glob('kiroku-*').scanSync(out)].sort()
  await $`sha256sum ${names} > SHA256SUMS`.cwd(out)
  console.log(await Bun.file(join(out, 'SHA256SUMS')).text())
}

if (import.meta.main) await release(process.argv.slice(2))
