import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The TypeScript files below a folder, as paths from the project's root. */
export function sources(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const own = entries.filter((name) => name.endsWith('.ts') && !name.includes('node_modules/'))
  return own.map((name) => join(folder, name))
}

/** What a file of ours imports of the project, including types: paths from the project's root without `.ts`. */
export function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\b\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(
    ([, path = '']) => relative('.', join(dirname(file), path)),
  )
}

/** Whether a file is one of `paths` or in one of these folders. Both without `.ts`, from the project's root. */
export const isAmong = (file: string, paths: readonly string[]): boolean =>
  paths.some((path) => file === path || file.startsWith(`${path}/`))
