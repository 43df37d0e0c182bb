import type { FindArmRow } from './arm'
import { type ArmRow, type Item, siteId } from './sources'
import { instant, week } from './times'

/**
 * Which Annict id each item has; an id belongs to one item. Of several parts of a work that arm takes for the whole,
 * the one keeps it on which more of arm's ids agree, then a run of weeks before a single day, then the shorter title,
 * since a part's name makes it longer, then the earlier.
 */
export function claimAnnictIds(items: Item[], findArmRow: FindArmRow): Map<Item, number> {
  const claims = new Map<number, Claim>()
  for (const item of items) {
    const row = findArmRow(item)
    if (row?.annict_id === undefined) continue
    const claim = claimOf(item, row)
    const held = claims.get(row.annict_id)
    if (held === undefined || compare(claim, held) < 0) claims.set(row.annict_id, claim)
  }
  return new Map([...claims].map(([annictId, { item }]) => [item, annictId]))
}

interface Claim {
  item: Item
  /** What speaks for it, the weightiest first; the smaller number wins. */
  weights: number[]
}

function claimOf(item: Item, row: ArmRow): Claim {
  const begin = instant(item.begin) ?? Number.MAX_SAFE_INTEGER
  return { item, weights: [-agreements(item, row), ranForWeeks(item) ? 0 : 1, item.title.length, begin] }
}

const agreements = (item: Item, row: ArmRow) =>
  Number(siteId(item, 'mal') === String(row.mal_id)) +
  Number(siteId(item, 'aniList') === String(row.anilist_id))

const ranForWeeks = ({ begin, end }: Item) => end === '' || Date.parse(end) - Date.parse(begin) >= week

function compare(a: Claim, b: Claim): number {
  const differences = a.weights.map((weight, place) => weight - (b.weights[place] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}
