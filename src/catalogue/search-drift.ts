import type { Database } from 'bun:sqlite'
import { gramsOf, reindexRow, type SearchKind, searchedColumns, textsQuery } from './search'

/** A row that a search finds by other texts than its own, or not by all of those. */
export interface SearchDrift {
  readonly kind: SearchKind
  readonly id: number
}

/**
 * The rows whose index is not what their texts say, at most `limit`. It reads each index once as a whole and compares
 * sums, so it costs as much as reading the texts. It makes a temporary table: not for a `query_only` connection.
 */
export function searchDrift(handle: Database, limit = 100): readonly SearchDrift[] {
  const found: SearchDrift[] = []
  for (const kind of Object.keys(searchedColumns).filter(isKind)) {
    const indexed = indexedSums(handle, kind)
    const query = handle.query(textsQuery(kind, ', id'))
    for (const row of query.values()) {
      const id = Number(row.pop())
      if (indexed.get(id) !== sumOf(row.map(String))) found.push({ kind, id })
      indexed.delete(id)
    }
    for (const id of indexed.keys()) found.push({ kind, id })
  }
  return found.slice(0, limit)
}

/** Brings the index of every row in line with its texts. The caller has begun a transaction. */
export function reindex(handle: Database): void {
  for (const { kind, id } of searchDrift(handle, Number.POSITIVE_INFINITY)) reindexRow(handle, kind, id)
}

const isKind = (name: string): name is SearchKind => name in searchedColumns

/** Per row, the sum over its terms and their places in the index. */
function indexedSums(handle: Database, kind: SearchKind): Map<number, number> {
  const sums = new Map<number, number>()
  handle.run(`create virtual table temp.search_terms using fts5vocab (main, ${kind}_search, instance)`)
  try {
    const terms = handle.prepare<{ term: string; doc: number; offset: number }, []>(
      'select term, doc, offset from temp.search_terms',
    )
    for (const { term, doc, offset } of terms.iterate()) {
      sums.set(doc, add(sums.get(doc) ?? 0, term, offset))
    }
    terms.finalize()
  } finally {
    handle.run('drop table temp.search_terms')
  }
  return sums
}

const sumOf = (texts: readonly string[]) =>
  gramsOf(texts)
    .split(' ')
    .reduce((sum, term, offset) => add(sum, term, offset), 0)

const add = (sum: number, term: string, offset: number) =>
  (sum + Math.imul(Number.parseInt(term, 16) + Math.imul(term.length, 97), 2 * offset + 1)) | 0
