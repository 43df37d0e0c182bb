import { readdirSync, readFileSync } from 'node:fs'
import { migrations } from '../src/db/migrations'
import { en } from '../src/messages/en'
import { unreadSettings, unusedExports } from './exports'
import {
  catalogueRules,
  embedded,
  emptyHanded,
  mayImport,
  mayReadBare,
  mayUseHandle,
  namesIndex,
  readsBare,
} from './layers'
import { unusedMessages } from './messages'
import { nameProblems } from './names'
import { folderProblems } from './rooms'
import { schemaText } from './schema'
import { importsOf, isAmong, linesIn, sources } from './sources'
import { triggerProblems } from './triggers'
import { weightProblems } from './weights'

/** Checks by `bun run check` in addition to the formatter and the compiler. */
const problems = [
  ...importProblems(),
  ...folderProblems(),
  ...nameProblems(),
  ...lengthProblems(),
  ...messageProblems(),
  ...garbageProblems(),
  ...fetchProblems(),
  ...unusedExports(),
  ...unreadSettings(),
  ...handleProblems(),
  ...guardProblems(),
  ...migrationProblems(),
  ...(await triggerProblems()),
  ...(await schemaProblems()),
  ...dependencyProblems(),
  ...(await weightProblems()),
]
for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? 'structure: in order' : `structure: ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)

function importProblems(): string[] {
  return ['src', 'db'].flatMap(sources).flatMap((file) =>
    importsOf(file)
      .filter((to) => !mayBeImported(file.replace(/\.ts$/, ''), to))
      .map((to) => `${file} must not import ${to}: scripts/layers.ts`),
  )
}

function mayBeImported(from: string, to: string): boolean {
  const forCatalogue = ['db', ...catalogueRules]
  if (isAmong(from, forCatalogue)) return isAmong(to, forCatalogue)
  if (!to.startsWith('src/')) return isAmong(to, embedded)
  return layerOf(to) === layerOf(from) || mayImport[layerOf(from)]?.includes(layerOf(to)) === true
}

/** `src/api/list.ts` → api, `src/app.ts` → app. */
function layerOf(file: string): string {
  return file.replace(/^src\//, '').replace(/[/.].*$/, '')
}

/** `docs/dependencies.md` must have a row for each runtime dependency, and no other. */
function dependencyProblems(): string[] {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  const rows = readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| `([^`]+)` \|/gm)
  const documented = new Set([...rows].map(([, name = '']) => name))
  const declared = new Set(Object.keys(dependencies))
  const differing = declared.symmetricDifference(documented)
  return [...differing].map(
    (name) => `docs/dependencies.md and package.json differ: ${name} is in one of them only`,
  )
}

function lengthProblems(): string[] {
  return ['src', 'db', 'test', 'scripts', 'bench'].flatMap(sources).flatMap((file) => {
    const lines = linesIn(file)
    return lines > 250 && !mayBeLong(file) ? [`${file}: ${lines} lines, 250 are allowed`] : []
  })
}

function mayBeLong(file: string): boolean {
  return file === 'src/db/schema.ts' || /^src\/messages\/[a-z]{2,3}\.ts$/.test(file)
}

function messageProblems(): string[] {
  const files = sources('src').filter((file) => layerOf(file) !== 'messages')
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  return unusedMessages(en, texts).map((name) => `src/messages/en.ts: nothing shows ${name}`)
}

function garbageProblems(): string[] {
  return sources('src')
    .filter((file) => /\bBun\.gc\(/.test(readFileSync(file, 'utf8')))
    .map((file) => `${file}: the executable would leave Bun.gc out, see src/lib/collect-garbage.ts`)
}

function handleProblems(): string[] {
  return sources('src').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const isAllowed = mayUseHandle.some((place) => file.startsWith(place))
    return [
      ...(text.includes("'bun:sqlite'") && !isAllowed
        ? [`${file}: must not use the handle, see mayUseHandle`]
        : []),
      ...(emptyHanded.test(text) ? [`${file}: writes on the handle, which only inPieces may do`] : []),
    ]
  })
}

function guardProblems(): string[] {
  return sources('src').flatMap((file) => {
    const text = withoutComments(readFileSync(file, 'utf8'))
    const isAllowed = mayReadBare.some((place) => file.startsWith(place))
    return [
      ...(readsBare.test(text) && !isAllowed
        ? [`${file}: must not read past the guard, see mayReadBare`]
        : []),
      ...(namesIndex.test(text) && !file.startsWith('src/db/')
        ? [`${file}: names an index of a guarded table, which only seenBy may`]
        : []),
    ]
  })
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
}

/** What runs in browsers is served by kiroku, and asks only kiroku. */
function fetchProblems(): string[] {
  return sources('src')
    .filter(
      (file) => !isAmong(file, ['src/fetching', 'src/pages/script', 'src/pages/worker', 'src/docs/graphiql']),
    )
    .filter((file) => /(?<![\w.])fetch\(|\bnew (?:Bun\.)?S3Client\(/.test(readFileSync(file, 'utf8')))
    .map((file) => `${file}: only src/fetching may contact other hosts`)
}

function migrationProblems(): string[] {
  return readdirSync('db/migrations')
    .filter((file) => !(file.replace(/\.sql$/, '') in migrations))
    .map((file) => `db/migrations/${file}: not named in src/db/migrations.ts`)
}

async function schemaProblems(): Promise<string[]> {
  const file = 'src/db/schema.ts'
  const isSame = readFileSync(file, 'utf8') === (await schemaText())
  return isSame ? [] : [`${file}: not what db/migrations say; run \`bun run schema\``]
}
