import type { Database } from 'bun:sqlite'
import { gramsOf, type SearchKind, searchedColumns, textsQuery } from '../search'
import { idRanges } from './id-ranges'
import { noRest, type Rest } from './rest'

/** A row that a search finds by other texts than its own, or not by all of those. */
export interface SearchDrift {
  readonly kind: SearchKind
  readonly id: number
}

/**
 * The rows whose index is not what their texts say, at most `limit`. It reads each index once as a whole and compares
 * sums, so it costs as much as reading the texts. It reads in short pieces, and what differs then once more in one: an
 * import may have come in between. It makes temporary tables: not for a `query_only` connection.
 */
export function searchDrift(handle: Database, limit = 100, rest = noRest): readonly SearchDrift[] {
  const found: SearchDrift[] = []
  for (const kind of Object.keys(searchedColumns).filter(isKind)) {
    const inPieces = differing(handle, kind, rest)
    const ids = inPieces.length === 0 ? [] : handle.transaction(() => differing(handle, kind, noRest))()
    found.push(...ids.map((id) => ({ kind, id })))
  }
  return found.slice(0, limit)
}

const isKind = (name: string): name is SearchKind => name in searchedColumns

function differing(handle: Database, kind: SearchKind, rest: Rest): readonly number[] {
  const indexed = indexedSums(handle, kind, rest)
  const found: number[] = []
  const query = handle.query(`${textsQuery(kind, ', id')} and id between ? and ?`)
  for (const { from, to } of idRanges(handle, kind)) {
    for (const row of query.values(from, to)) {
      const id = Number(row.pop())
      if (indexed.get(id) !== sumOf(row.map(String))) found.push(id)
      indexed.delete(id)
    }
    rest()
  }
  return [...found, ...indexed.keys()]
}

/** Per row, the sum over its terms and their places in the index. */
function indexedSums(handle: Database, kind: SearchKind, rest: Rest): Map<number, number> {
  const sums = new Map<number, number>()
  handle.run(`create virtual table temp.search_terms using fts5vocab (main, ${kind}_search, row)`)
  handle.run(`create virtual table temp.search_places using fts5vocab (main, ${kind}_search, instance)`)
  try {
    for (const [from, to] of termRanges(handle)) {
      using places = handle.prepare<{ term: string; doc: number; offset: number }, [string, string]>(
        'select term, doc, offset from temp.search_places where term >= ? and term <= ?',
      )
      for (const { term, doc, offset } of places.iterate(from, to))
        sums.set(doc, add(sums.get(doc) ?? 0, term, offset))
      rest()
    }
  } finally {
    handle.run('drop table temp.search_places')
    handle.run('drop table temp.search_terms')
  }
  return sums
}

/** The terms of an index in ranges of 500, both ends included; a term has a few dozen places on average. */
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

const sumOf = (texts: readonly string[]) =>
  gramsOf(texts)
    .split(' ')
    .reduce((sum, term, offset) => add(sum, term, offset), 0)

const add = (sum: number, term: string, offset: number) =>
  (sum + Math.imul(Number.parseInt(term, 16) + Math.imul(term.length, 97), 2 * offset + 1)) | 0
