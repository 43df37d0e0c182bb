import type { Database } from 'bun:sqlite'
import { gramsOf } from '../search/contains'
import { termsOf } from '../search/keys/grams'
import { keysOf, keysPerRow } from '../search/keys/keys'
import { type RowTexts, type SearchKind, searchKinds, textsBetween } from '../search/texts'
import { idRanges } from './id-ranges'
import { indexedSums, sumInPlaces, sumOfTerms } from './indexed-sums'
import { noRest, type Rest } from './rest'

export interface SearchDrift {
  readonly kind: SearchKind
  readonly id: number
}

/** Reads indexes in short pieces and rechecks differences in one. Creates temporary tables, so not for `query_only`. */
export function searchDrift(handle: Database, limit = 100, rest = noRest): readonly SearchDrift[] {
  const found: SearchDrift[] = []
  for (const kind of searchKinds) {
    const inPieces = differing(handle, kind, rest)
    const ids = inPieces.length === 0 ? [] : handle.transaction(() => differing(handle, kind, noRest))()
    found.push(...ids.map((id) => ({ kind, id })))
  }
  return found.slice(0, limit)
}

function differing(handle: Database, kind: SearchKind, rest: Rest): readonly number[] {
  const grams = indexedSums(handle, `${kind}_search`, rest)
  const terms = indexedSums(handle, `${kind}_key_search`, rest)
  const stored = storedKeys(handle, kind)
  const found: number[] = []
  for (const { from, to } of idRanges(handle, kind)) {
    for (const row of textsBetween(handle, kind, from, to)) {
      if (grams.get(row.id) !== sumInPlaces(gramsOf(row.titles)) || !isIndexed(row, stored, terms))
        found.push(row.id)
      grams.delete(row.id)
    }
    rest()
  }
  const others = [...stored.keys(), ...terms.keys()].map((id) => Math.floor(id / keysPerRow))
  return [...new Set([...found, ...grams.keys(), ...others])]
}

/** Compares keys and terms, removing what it has compared from both maps. */
function isIndexed(row: RowTexts, stored: Map<number, string>, terms: Map<number, number>): boolean {
  let isRight = true
  for (const [n, { kind, key, words, hasParts }] of keysOf(row).entries()) {
    const id = row.id * keysPerRow + n
    const sum = hasParts ? sumOfTerms(termsOf(key, words)) : undefined
    isRight &&= stored.get(id) === keyText(kind, key, words) && terms.get(id) === sum
    stored.delete(id)
    terms.delete(id)
  }
  return isRight
}

const storedKeys = (handle: Database, kind: SearchKind) =>
  new Map(
    handle
      .query<never, []>(`select id, kind, key, words from ${kind}_search_keys`)
      .values()
      .map(([id, of, key, words]) => [Number(id), keyText(Number(of), String(key), String(words))]),
  )

const keyText = (kind: number, key: string, words: string) => `${kind} ${key} ${words}`
