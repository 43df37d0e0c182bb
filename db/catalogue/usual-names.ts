import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The names in `usual-names.tsv` by Annict id. @throws if a line has another shape */
export function readUsualNames(): Map<number, string[]> {
  const lines = readFileSync(join(import.meta.dir, 'usual-names.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  return new Map(lines.filter((line) => !line.startsWith('#')).map(namesOf))
}

function namesOf(line: string): [number, string[]] {
  const [annict, title, names, ...more] = line.split('\t')
  if (!/^\d+$/.test(annict ?? '') || !title || !names || more.length > 0)
    throw new Error(`usual-names.tsv: ${line}`)
  return [Number(annict), names.split(' | ')]
}
