import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The TypeScript files below a folder, as paths from the project's root. */
export function sources(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const own = entries.filter((name) => name.endsWith('.ts') && !name.includes('node_modules/'))
  return own.map((name) => join(folder, name))
}

/** What a file of ours imports of the project, including types: paths from the project's root without `.ts`. */
export const importsOf = (file: string): string[] =>
  pathsAfter(file, /\b(?:from|import)\b\s*\(?\s*'(\.{1,2}\/[^']+)'/g)

/** What it imports only when a function needs it. */
export const lateImportsOf = (file: string): string[] => pathsAfter(file, /\bimport\(\s*'(\.{1,2}\/[^']+)'/g)

const pathsAfter = (file: string, before: RegExp): string[] =>
  [...readFileSync(file, 'utf8').matchAll(before)].map(([, path = '']) =>
    relative('.', join(dirname(file), path)),
  )

export const linesIn = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1

/** Whether a file is one of `paths` or in one of these folders. Both without `.ts`, from the project's root. */
export const isAmong = (file: string, paths: readonly string[]): boolean =>
  paths.some((path) => file === path || file.startsWith(`${path}/`))
