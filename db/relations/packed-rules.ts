import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The rules of `anime-relations.txt` without comments, most of the file. A base64 line of zstd; called as a macro. */
export function packedRules(): string {
  const file = readFileSync(join(import.meta.dir, 'anime-relations.txt'), 'utf8')
  const rules = file.split('\n').filter((line) => line.startsWith('- '))
  return Bun.zstdCompressSync(rules.join('\n'), { level: 19 }).toString('base64')
}
