import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { $ } from 'bun'

/**
 * Makes the executable, unless it is newer than everything it is made from: `bun scripts/compile.ts` for this machine
 * (`dist/kiroku`), `--target=bun-linux-arm64` for another one (`dist/kiroku-linux-arm64`).
 */
async function compile(target: string | undefined): Promise<void> {
  const out = target === undefined ? 'dist/kiroku' : `dist/kiroku-${target.replace(/^bun-/, '')}`
  if (changedAt(out) > Math.max(...inputs.map(newestIn))) return
  const started = new Date()
  await $`${process.execPath} db/catalogue/build.ts ${catalogue}`
  for (const name of packed) await pack(name)
  const aim = target === undefined ? [] : [`--target=${target}`]
  await $`${process.execPath} build ${flags} ${aim} --outfile=${out} ${entryPoints}`.quiet()
  // It holds them itself, and with every change of a source they would lie there under other names.
  for (const map of new Bun.Glob('dist/*.map').scanSync()) rmSync(map)
  // As old as its beginning: what is changed while it is made must count as newer.
  utimesSync(out, started, started)
  console.log(`${out}: ${(statSync(out).size / 1e6).toFixed(1)} MB`)
}

/** A file that runs in a Worker is an entry point of its own. */
const entryPoints = ['src/main.ts']

const catalogue = 'dist/catalogue-default.jsonl.zst'

/** What the page of the API's documentation needs, packed as browsers take it: 1.4 MB less to embed. */
const packed = ['swagger-ui-bundle.js', 'swagger-ui.css', 'oauth2-redirect.js']

async function pack(name: string): Promise<void> {
  const bytes = await Bun.file(`node_modules/swagger-ui-dist/${name}`).bytes()
  await Bun.write(`dist/${name}.gz`, Bun.gzipSync(bytes, { level: 9 }))
}

const inputs = ['src', 'db', 'scripts/compile.ts', 'package.json', 'bun.lock', 'node_modules']

/**
 * Identifiers keep their names, so neither `--minify` nor `--production`: with others Elysia skips validation without
 * a word. Without the two `--no-compile-autoload` flags the executable would run whatever `.env` and `bunfig.toml` lie
 * in the current directory.
 */
const flags = [
  '--compile',
  // Starts in half the time. Functions inside others are left out: 3.4 MB less, for 15 ms more.
  '--bytecode',
  '--bytecode-depth=0',
  // What is imported when it is needed is a file of its own: what it imports from Bun would else be loaded at once.
  '--splitting',
  // What runs once, at the start, is not worth compiling; `src/cli/open.ts` goes back to 1.
  '--compile-jit-policy=8',
  '--format=esm',
  '--minify-syntax',
  '--minify-whitespace',
  // 1 MB, read only when something fails: then the log names files and lines.
  '--sourcemap',
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
  // Lifts the limit of 16 KiB on a request's headers; an OAuth request in a URL can be longer.
  '--compile-exec-argv=--max-http-header-size=65536',
  '--define=process.env.NODE_ENV="production"',
]

/** When the newest of a file, or of everything in a folder, was changed; a folder changes when one of its files goes. */
function newestIn(path: string): number {
  // What is installed follows bun.lock; looking at the folder alone notices that it was installed anew.
  if (path === 'node_modules' || !statSync(path).isDirectory()) return changedAt(path)
  return Math.max(changedAt(path), ...readdirSync(path).map((name) => newestIn(join(path, name))))
}

/** In epoch milliseconds; 0 for what is not there. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

if (import.meta.main) {
  const [option] = process.argv.slice(2)
  if (option !== undefined && !option.startsWith('--target=')) {
    console.error('usage: bun scripts/compile.ts [--target=bun-linux-arm64]')
    process.exit(64)
  }
  await compile(option?.slice('--target='.length))
}
