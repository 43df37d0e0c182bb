import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** The lines of a file in this folder. Throws for a line of another shape, or one that `isAllowed` refuses. */
export function readJsonLines<S extends TSchema>(
  file: string,
  schema: S,
  isAllowed: (line: Static<S>) => boolean = () => true,
): Static<S>[] {
  const check = Compile(schema)
  const lines = readFileSync(join(import.meta.dir, file), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const value: unknown = JSON.parse(line)
    if (!check.Check(value) || !isAllowed(value)) throw new Error(`${file}: ${line}`)
    return value
  })
}
