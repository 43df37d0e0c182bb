import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { importsOf, sources } from './sources'

/** Not counting sub-folders. */
const maxFiles = 25

/** Folders of src with too many files, and import cycles, including type imports. */
export function folderProblems(): string[] {
  return [...crowdedFolders(), ...importCycles()]
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
