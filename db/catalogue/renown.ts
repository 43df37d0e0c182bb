import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `renown.tsv`: works since 2022 that everyone knows, which the counts of the packages are too old for. By Annict id. Throws for a line that is incomplete, or for a work that has two. */
export function readRenown(): ReadonlyMap<number, number> {
  const [, ...lines] = readFileSync(join(import.meta.dir, 'renown.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  const renown = new Map<number, number>()
  for (const line of lines) {
    const [annict, popularity] = line.split('\t').map(Number)
    if (!annict || !popularity || renown.has(annict)) throw new Error(`renown.tsv: ${line}`)
    renown.set(annict, popularity)
  }
  return renown
}

/**
 * What a sequel without a popularity of its own gets from the earlier works of its title: almost that of the best, or
 * else something for each of them. `earlier`: in order of release, undefined where unknown.
 */
export function inherited(earlier: readonly (number | undefined)[]): number | undefined {
  if (earlier.length === 0) return undefined
  const best = Math.max(...earlier.map((popularity = 0) => popularity))
  return best > 0 ? Math.max(1, best - 2) : 28 + 2 * Math.min(5, earlier.length)
}
