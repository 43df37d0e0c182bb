import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How many files a folder of src may hold, its sub-folders not counted. */
const mostFiles = 25

/** Folders of src with more files than one can take in at a glance, and circles of imports, of types alone too. */
export function roomProblems(): string[] {
  return [...crowdedFolders(), ...importCircles()]
}

function crowdedFolders(): string[] {
  const folders = Map.groupBy(sources(), dirname)
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
    for (const next of importsOf(file)) follow(next, [...path, file])
    done.add(file)
  }
  for (const file of sources()) follow(file, [])
  return problems
}

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)]
    .map(([, path = '']) => `${join(dirname(file), path)}.ts`)
    .filter((path) => path.startsWith('src/') && existsSync(path))
}

function sources(): string[] {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join('src', name))
}
