import { readdirSync, readFileSync } from 'node:fs'
import { migrations } from '../src/db/migrations'
import { en } from '../src/messages/en'
import { unusedMessages } from './messages'
import { roomProblems } from './rooms'
import { schemaText } from './schema'
import { importsOf, sources } from './sources'
import { newestTriggers } from './triggers'

/** What `bun run check` holds besides the formatter and the compiler: the direction of imports, the length of files, messages that nothing shows, and files that are made from others. */
const problems = [
  ...importProblems(),
  ...roomProblems(),
  ...lengthProblems(),
  ...messageProblems(),
  ...migrationProblems(),
  ...(await generatedProblems()),
  ...dependencyProblems(),
]
for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? 'structure: in order' : `structure: ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)

/** Each folder of src, and what it may import besides itself. Imports point down only. */
function mayImport(): Readonly<Record<string, readonly string[]>> {
  const ground = ['messages', 'lib', 'types', 'version', 'log', 'config', 'deps', 'mail']
  const http = [...ground, 'db', 'http', 'api', 'paging', 'cache']
  const features = ['accounts', 'catalogue', 'library', 'social']
  return {
    messages: [],
    lib: ['messages'],
    types: [],
    version: [],
    log: ['lib'],
    config: ['lib'],
    mail: ['messages', 'lib', 'config', 'log'],
    db: ['lib', 'version'],
    deps: ['config', 'db', 'log', 'mail'],
    http: [...ground, 'db'],
    cache: [],
    // A list finds its page, and a finder reads what a list declares.
    api: http,
    paging: http,
    accounts: http,
    catalogue: http,
    docs: [...http, 'pages', 'web'],
    pages: http,
    web: [...http, 'accounts', 'pages'],
    oauth: [...http, 'accounts', 'pages', 'web'],
    site: [...http, ...features, 'pages', 'web', 'oauth'],
    library: [...http, 'accounts', 'catalogue'],
    social: [...http, 'accounts', 'catalogue', 'library'],
    demo: [...http, ...features],
    app: [...http, ...features, 'docs', 'pages', 'web', 'oauth', 'site'],
    cli: [...http, 'accounts', 'catalogue', 'social', 'oauth', 'demo', 'app'],
    main: [...http, 'cli'],
  }
}

function importProblems(): string[] {
  const allowed = mayImport()
  return sources('src').flatMap((file) => {
    const from = placeOf(file)
    return importsOf(file)
      .map((to) => placeOf(to))
      .filter((to) => to !== from && !allowed[from]?.includes(to))
      .map((to) => `${file}: ${from} must not import ${to}`)
  })
}

/** `src/api/list.ts` → api, `src/app.ts` → app; config.ts and the options it is read from are one place. */
function placeOf(file: string): string {
  return file
    .replace(/^src\//, '')
    .replace(/[/.].*$/, '')
    .replace(/^options$/, 'config')
}

/** `docs/dependencies.md` has a row for each runtime dependency, and no other. */
function dependencyProblems(): string[] {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  const rows = readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| `([^`]+)` \|/gm)
  const told = new Set([...rows].map(([, name = '']) => name))
  const declared = new Set(Object.keys(dependencies))
  const differing = declared.symmetricDifference(told)
  return [...differing].map(
    (name) => `docs/dependencies.md and package.json differ: ${name} is in one of them only`,
  )
}

function lengthProblems(): string[] {
  return ['src', 'db', 'test', 'scripts', 'bench'].flatMap(sources).flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n').length - 1
    return lines > 250 && !mayBeLong(file) ? [`${file}: ${lines} lines, 250 are allowed`] : []
  })
}

/** The schema is made from the migrations; the messages of a language are data, and stay in one file. */
function mayBeLong(file: string): boolean {
  return file === 'src/db/schema.ts' || /^src\/messages\/[a-z]{2,3}\.ts$/.test(file)
}

function messageProblems(): string[] {
  const files = sources('src').filter((file) => placeOf(file) !== 'messages')
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  return unusedMessages(en, texts).map((name) => `src/messages/en.ts: nothing shows ${name}`)
}

/** A file that is not named is in no database, and in nothing that is made from it. */
function migrationProblems(): string[] {
  return readdirSync('db/migrations')
    .filter((file) => !(file.replace(/\.sql$/, '') in migrations))
    .map((file) => `db/migrations/${file}: not named in src/db/migrations.ts`)
}

async function generatedProblems(): Promise<string[]> {
  const generated = [
    { file: 'src/db/schema.ts', from: 'db/migrations', text: await schemaText(), command: 'schema' },
    { ...newestTriggers(), from: 'db/facts', command: 'triggers' },
  ]
  return generated
    .filter(({ file, text }) => readFileSync(file, 'utf8') !== text)
    .map(({ file, from, command }) => `${file}: not what ${from} say; run \`bun run ${command}\``)
}
