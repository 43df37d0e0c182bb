import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { importsOf, sources } from './sources'

/** How many files a folder of src may hold, its sub-folders not counted. */
const mostFiles = 25

/** Folders of src with more files than one can take in at a glance, and circles of imports, of types alone too. */
export function roomProblems(): string[] {
  return [...crowdedFolders(), ...importCircles()]
}

function crowdedFolders(): string[] {
  const folders = Map.groupBy(sources('src'), dirname)
  return [...folders]
    .filter(([, files]) => files.length > mostFiles)
    .map(([folder, files]) => `${folder}: ${files.length} files, ${mostFiles} are allowed`)
}

/** One circle for each import that leads back to a file whose imports are being followed. */
function importCircles(): string[] {
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
