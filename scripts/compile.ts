import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { $ } from 'bun'
import { bundleScript } from './bundle'
import { packGraphiql } from './graphiql'
import { catalogueRules } from './layers'
import { packSourceMaps } from './source-maps'

/**
 * Compiles the executable unless it is newer than its inputs: `bun scripts/compile.ts` for this machine
 * (`dist/kiroku`), `--target=bun-linux-arm64` for another one (`dist/kiroku-linux-arm64`).
 */
async function compile(target: string | undefined): Promise<void> {
  const out = target === undefined ? 'dist/kiroku' : `dist/kiroku-${target.replace(/^bun-/, '')}`
  if (isNewer(out, inputs)) return
  const started = new Date()
  // The times of the start, so that an input changed meanwhile counts as newer.
  const stamp = (path: string) => utimesSync(path, started, started)
  if ([catalogue, catalogueHash].every((path) => isNewer(path, catalogueInputs))) await packPages()
  else {
    await makeAssets()
    stamp(catalogueHash)
  }
  await makeExecutable(out, target)
  stamp(out)
  console.log(`${out}: ${(statSync(out).size / 1e6).toFixed(1)} MB`)
}

/** Makes what every executable embeds, in `dist`. */
export async function makeAssets(): Promise<void> {
  // The catalogue takes as long as everything else, and runs in a process of its own.
  await Promise.all([$`${process.execPath} db/catalogue/build.ts ${catalogue}`, packPages()])
}

async function packPages(): Promise<void> {
  for (const name of packed) await pack(name)
  await packGraphiql()
  await bundleScript()
}

/** For this machine if there is no target. Needs the assets. `more`: further options of `bun build`. */
export async function makeExecutable(
  out: string,
  target: string | undefined,
  more: readonly string[] = [],
): Promise<void> {
  const aim = target === undefined ? [] : [`--target=${target}`]
  const common = [...flags, ...(await builtFrom()), ...aim]
  const build = (to: string, options: readonly string[]) =>
    $`${process.execPath} build ${common} ${options} --outfile=${to} ${entryPoints}`.quiet()
  // Builds twice: the second embeds the source maps of the first, whose code is the same.
  const first = `${out}.first`
  await build(join(first, basename(out)), ['--sourcemap'])
  await build(out, [...more, `--asset=${await packSourceMaps(first)}`])
  rmSync(first, { recursive: true })
}

/** For `src/version.ts`; empty if there is no Git history, as in a container. */
async function builtFrom(): Promise<readonly string[]> {
  const described = await $`git describe --always --dirty --abbrev=12 ${'--exclude=*'}`.quiet().nothrow()
  if (described.exitCode !== 0) return []
  const date = await $`git show --no-patch --format=%cs HEAD`.text()
  const value = { commit: described.text().trim(), date: date.trim() }
  return [`--define=BUILT_FROM=${JSON.stringify(value)}`]
}

const entryPoints = ['src/main.ts']

const catalogue = 'dist/catalogue-default.jsonl.zst'
/** Written last, so that an unfinished build is repeated. */
const catalogueHash = `${catalogue}.hash.txt`
/** Building the catalogue takes as long as everything else, and does not depend on the program. */
const catalogueInputs = ['db', ...catalogueRules.map(pathOf), 'package.json', 'bun.lock', 'node_modules']

/** Assets of the API documentation, compressed to embed 1.5 MB less. */
const packed = ['swagger-ui-bundle.js', 'swagger-ui.css', 'oauth2-redirect.js']

async function pack(name: string): Promise<void> {
  const bytes = await Bun.file(`node_modules/swagger-ui-dist/${name}`).bytes()
  await Bun.write(`dist/${name}.zst`, Bun.zstdCompressSync(bytes, { level: 19 }))
}

/** Elysia loads it to check the types of uploads, which we never let it do. 0.1 MB, ten packages. */
export const leftOut = '--external=file-type'

const inputs = [
  ...catalogueInputs,
  'src',
  'scripts/bundle.ts',
  'scripts/compile.ts',
  'scripts/graphiql.ts',
  'scripts/source-maps.ts',
]

/** Without the `--no-compile-autoload` flags, the executable would load `.env` and `bunfig.toml` where it is started. */
const flags = [
  '--compile',
  // Halves the start-up time. Depth 0 leaves out nested functions: 3.4 MB less for 15 ms more.
  '--bytecode',
  '--bytecode-depth=0',
  // Makes dynamic imports separate files; otherwise their imports from Bun would be loaded at start.
  '--splitting',
  // Start-up code runs once and is not worth compiling; `src/cli/compile-hot-code.ts` sets 1 again.
  '--compile-jit-policy=100',
  leftOut,
  // Drops Elysia's garbage collection during the first request, which takes 8 ms. Ours: src/lib/collect-garbage.ts.
  '--drop=Bun.gc',
  '--format=esm',
  // Elysia reads from a handler's source what it needs of a request: test/http/handlers.test.ts.
  '--minify',
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
  // The default of 16 KiB for request headers is too small for an OAuth request in a URL.
  '--compile-exec-argv=--max-http-header-size=65536',
  '--define=process.env.NODE_ENV="production"',
]

const isNewer = (out: string, from: readonly string[]): boolean =>
  changedAt(out) > Math.max(...from.map(newestIn))

/** The newest modification time in a file or folder; a folder's own time changes when a file is removed from it. */
function newestIn(path: string): number {
  // The packages follow bun.lock; the folder's own time shows a new installation.
  if (path === 'node_modules' || !statSync(path).isDirectory()) return changedAt(path)
  return Math.max(changedAt(path), ...readdirSync(path).map((name) => newestIn(join(path, name))))
}

/** Of a folder, or of a module without its `.ts`. */
function pathOf(module: string): string {
  return existsSync(module) ? module : `${module}.ts`
}

/** In epoch milliseconds; 0 if the file does not exist. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

if (import.meta.main) {
  const [option] = process.argv.slice(2)
  if (option !== undefined && !option.startsWith('--target=')) {
    console.error('usage: bun scripts/compile.ts [--target=bun-linux-arm64]')
    process.exit(64)
  }
  await compile(option?.slice('--target='.length))
}
