import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The TypeScript files below a folder, as paths from the project's root. */
export function sources(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return entries.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
}

/** The files that a file imports from src, including types: paths from the project's root without `.ts`. */
export function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)]
    .map(([, path = '']) => relative('.', join(dirname(file), path)))
    .filter((path) => path.startsWith('src/'))
}
