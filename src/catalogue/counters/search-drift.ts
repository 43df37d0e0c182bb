import type { Database } from 'bun:sqlite'
import { gramsOf } from '../search/contains'
import { termsOf } from '../search/keys/grams'
import { keysOf, keysPerRow } from '../search/keys/keys'
import { type RowTexts, type SearchKind, searchKinds, textsBetween } from '../search/texts'
import { idRanges } from './id-ranges'
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

/** The sum over each row's terms (and positions, if stored) in a full-text index. */
function indexedSums(handle: Database, index: string, rest: Rest): Map<number, number> {
  const sums = new Map<number, number>()
  handle.run(`create virtual table temp.search_terms using fts5vocab (main, ${index}, row)`)
  handle.run(`create virtual table temp.search_places using fts5vocab (main, ${index}, instance)`)
  try {
    for (const [from, to] of termRanges(handle)) {
      using places = handle.prepare<{ term: string; doc: number; offset: number | null }, [string, string]>(
        'select term, doc, offset from temp.search_places where term >= ? and term <= ?',
      )
      for (const { term, doc, offset } of places.iterate(from, to))
        sums.set(doc, withTerm(sums.get(doc) ?? 0, term, offset ?? 0))
      rest()
    }
  } finally {
    handle.run('drop table temp.search_places')
    handle.run('drop table temp.search_terms')
  }
  return sums
}

/** Inclusive ranges of 500 terms; a term has a few dozen positions on average. */
function* termRanges(handle: Database): Generator<readonly [string, string]> {
  using next = handle.prepare<{ first: string | null; last: string | null }, [string]>(`
    select min(term) as first, max(term) as last from (
      select term from temp.search_terms where term > ? order by term limit 500)`)
  for (let after = ''; ; ) {
    const { first, last } = next.all(after)[0] ?? { first: null, last: null }
    if (first === null || last === null) return
    yield [first, last]
    after = last
  }
}

const sumInPlaces = (terms: string): number =>
  terms.split(' ').reduce((sum, term, offset) => withTerm(sum, term, offset), 0)

/** For indexes that store no positions: each term counts once. */
const sumOfTerms = (terms: string): number =>
  [...new Set(terms.toLowerCase().split(' '))].reduce((sum, term) => withTerm(sum, term, 0), 0)

const withTerm = (sum: number, term: string, offset: number) =>
  (sum + Math.imul(Bun.hash.crc32(term), 2 * offset + 1)) | 0

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
