import type { Database } from 'bun:sqlite'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { fold, marksOf, withoutMarks } from '../../lib/fold'
import type { SearchKind } from './texts'

/** The condition that a row's texts contain the text of a `searchTerm`. */
export const matches = (kind: SearchKind, term: RawBuilder<string>): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${kind}.id`)} in (select rowid from ${matchRows(kind, term)})`

/**
 * The rows that contain it, as a table of `rowid` that is read in its order without sorting: those of which a condition
 * on the id holds.
 */
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

/**
 * What to bind for a text sought: a phrase of its bigrams, or a prefix where it is a single character. Of a text that is
 * nothing but marks these count, else they do not (D17). A blank text, and one longer than any title, is found nowhere.
 */
export function searchTerm(text: string): string {
  const folded = fold(text)
  const sought = withoutMarks(folded) || (marksOf(folded)[0] ?? '')
  if (sought === '' || sought.length > longestSought) return nowhere
  if (sought.length === 1) return `${unit(sought, 0)}*`
  return `"${bigrams(sought).join(' ')}"`
}

/** Makes a row findable by these texts, and no others. */
export function indexRow(handle: Database, kind: SearchKind, id: number, texts: readonly string[]): void {
  handle.query(`insert or replace into ${kind}_search (rowid, grams) values (?, ?)`).run(id, gramsOf(texts))
}

/** Makes a row unfindable. */
export function unindexRow(handle: Database, kind: SearchKind, id: number): void {
  handle.query(`delete from ${kind}_search where rowid = ?`).run(id)
}

/**
 * The index form of texts: each folded, its letters and each run of marks cut into overlapping pairs of UTF-16 units of
 * eight hexadecimal digits, the last unit alone. That one has four digits, so no phrase goes on into the next text.
 */
export function gramsOf(texts: readonly string[]): string {
  const folded = new Set(texts.map(fold))
  const sought = [...new Set([...folded].flatMap((text) => [withoutMarks(text), ...marksOf(text)]))]
  // What another text contains is found through that one. Comparing very many would take longer than it saves.
  const needed =
    sought.length > mostCompared
      ? sought.filter((text) => text !== '')
      : sought.filter(
          (text) => text !== '' && !sought.some((other) => other !== text && other.includes(text)),
        )
  return needed.map((text) => [...bigrams(text), unit(text, text.length - 1)].join(' ')).join(' ')
}

const bigrams = (text: string) =>
  Array.from({ length: text.length - 1 }, (_, at) => unit(text, at) + unit(text, at + 1))

function unit(text: string, at: number): string {
  const code = text.charCodeAt(at)
  const known = units[code]
  if (known !== undefined) return known
  const digits = code.toString(16).padStart(4, '0')
  units[code] = digits
  return digits
}

const units: string[] = []
const longestSought = 1000
const mostCompared = 100
/** A term that no index holds: its digits are none. */
const nowhere = '"none"'
