import type { Database } from 'bun:sqlite'
import type { Rest } from './rest'

/** The sum over each row's terms (and positions, if stored) in a full-text index. */
export function indexedSums(handle: Database, index: string, rest: Rest): Map<number, number> {
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

export const sumInPlaces = (terms: string): number =>
  terms.split(' ').reduce((sum, term, offset) => withTerm(sum, term, offset), 0)

/** For indexes that store no positions: each term counts once. */
export const sumOfTerms = (terms: string): number =>
  [...new Set(terms.toLowerCase().split(' '))].reduce((sum, term) => withTerm(sum, term, 0), 0)

const withTerm = (sum: number, term: string, offset: number) =>
  (sum + Math.imul(Bun.hash.crc32(term), 2 * offset + 1)) | 0
