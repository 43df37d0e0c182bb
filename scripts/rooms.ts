import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { importsOf, isAmong, lateImportsOf, linesIn, sources } from './sources'

/** Not counting sub-folders. */
const maxFiles = 25

/** A file of fewer lines with one importer beside it is a part of that file. */
const ownFile = 45

/** Unless both together have this many lines. */
const longFile = 200

/** Scripts of browsers: `main.ts` lists what they do. */
const browserScripts = ['src/pages/script', 'src/docs/graphiql']

/** Folders of src with too many files, import cycles, including type imports, and files that are a part of another. */
export function folderProblems(): string[] {
  return [...crowdedFolders(), ...importCycles(), ...partsOfFiles()]
}

function crowdedFolders(): string[] {
  const folders = Map.groupBy(sources('src'), dirname)
  return [...folders]
    .filter(([, files]) => files.length > maxFiles)
    .map(
      ([folder, files]) =>
        `${folder}: ${files.length} files, ${maxFiles} are allowed: make a sub-folder, or put what is new where it is used`,
    )
}

/** One cycle per import that leads back to a file on the current path. */
function importCycles(): string[] {
  const problems: string[] = []
  const done = new Set<string>()
  const follow = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) problems.push(`import circle: ${[...path.slice(start), file].join(' → ')}`)
    if (start >= 0 || done.has(file)) return
    const imported = importsOf(file).map((next) => `${next}.ts`)
    for (const next of imported.filter((next) => existsSync(next))) follow(next, [...path, file])
    done.add(file)
  }
  for (const file of sources('src')) follow(file, [])
  return problems
}

/** Files that are loaded late, by an import within a function, stay apart. */
function partsOfFiles(): string[] {
  const files = sources('src').filter((file) => !isAmong(file, browserScripts))
  const late = new Set(files.flatMap(lateImportsOf))
  const importers = Map.groupBy(
    files.flatMap((file) => [...new Set(importsOf(file))].map((imported) => ({ file, imported }))),
    ({ imported }) => imported,
  )
  return files.flatMap((file) => {
    const path = file.replace(/\.ts$/, '')
    const [only, ...others] = importers.get(path) ?? []
    if (only === undefined || others.length > 0 || late.has(path)) return []
    const isPart = dirname(only.file) === dirname(file) && linesIn(file) < ownFile
    if (!isPart || linesIn(file) + linesIn(only.file) >= longFile) return []
    return [`${file}: ${linesIn(file)} lines that only ${only.file} imports: put them there`]
  })
}
