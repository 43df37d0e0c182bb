import type { Database } from 'bun:sqlite'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { bigramsOf, termOf } from '../../lib/bigrams'
import { fold, marksOf, withoutMarks } from '../../lib/fold'
import type { SearchKind } from './texts'

export const matches = (kind: SearchKind, term: RawBuilder<string>): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${kind}.id`)} in (select rowid from ${matchRows(kind, term)})`

/** For rows read in another index's order: the unary + makes SQLite look each one up, not find rows by id. */
export const matchesEach = (
  kind: SearchKind,
  id: RawBuilder<number>,
  term: RawBuilder<string>,
): Expression<SqlBool> => sql<SqlBool>`+${id} in (select rowid from ${matchRows(kind, term)})`

/** Matching ids that meet a condition, as a table of `rowid` that is already in order. */
export const matchesOf = (
  kind: SearchKind,
  term: RawBuilder<unknown>,
  condition: (id: RawBuilder<number>) => RawBuilder<SqlBool>,
): RawBuilder<unknown> =>
  sql`(select rowid from ${matchRows(kind, term)} and ${condition(sql.ref(`${kind}_search.rowid`))})`

function matchRows(kind: SearchKind, term: RawBuilder<unknown>): RawBuilder<unknown> {
  const index = sql.table(`${kind}_search`)
  return sql`${index} where ${index} match ${term}`
}

/** Punctuation counts only in texts that consist of nothing else (D17). */
export function searchTerm(text: string): string {
  const folded = fold(text)
  const sought = withoutMarks(folded) || (marksOf(folded)[0] ?? '')
  if (sought === '' || sought.length > longestSought) return nowhere
  return termOf(sought)
}

export function indexRow(handle: Database, kind: SearchKind, id: number, texts: readonly string[]): void {
  handle.query(`insert or replace into ${kind}_search (rowid, grams) values (?, ?)`).run(id, gramsOf(texts))
}

export function unindexRow(handle: Database, kind: SearchKind, id: number): void {
  handle.query(`delete from ${kind}_search where rowid = ?`).run(id)
}

export function gramsOf(texts: readonly string[]): string {
  const folded = new Set(texts.map(fold))
  const sought = [...new Set([...folded].flatMap((text) => [withoutMarks(text), ...marksOf(text)]))]
  // Skips texts contained in others; comparing a great many would cost more than it saves.
  const needed =
    sought.length > mostCompared
      ? sought.filter((text) => text !== '')
      : sought.filter(
          (text) => text !== '' && !sought.some((other) => other !== text && other.includes(text)),
        )
  return needed.map(bigramsOf).join(' ')
}

const longestSought = 1000
const mostCompared = 100
/** In no index, since these are not hexadecimal digits. */
const nowhere = '"none"'
