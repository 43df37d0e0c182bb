import type { Database } from 'bun:sqlite'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { fold, marksOf, withoutMarks } from '../../lib/fold'
import type { SearchKind } from './texts'

export const matches = (kind: SearchKind, term: RawBuilder<string>): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${kind}.id`)} in (select rowid from ${matchRows(kind, term)})`

/** As a table of `rowid` in order without sorting, of the ids that meet a condition. */
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

/** A phrase of bigrams, or a prefix for one character. Marks count only in texts of marks alone (D17). */
export function searchTerm(text: string): string {
  const folded = fold(text)
  const sought = withoutMarks(folded) || (marksOf(folded)[0] ?? '')
  if (sought === '' || sought.length > longestSought) return nowhere
  if (sought.length === 1) return `${unit(sought, 0)}*`
  return `"${bigrams(sought).join(' ')}"`
}

/** Replaces the indexed texts of a row. */
export function indexRow(handle: Database, kind: SearchKind, id: number, texts: readonly string[]): void {
  handle.query(`insert or replace into ${kind}_search (rowid, grams) values (?, ?)`).run(id, gramsOf(texts))
}

export function unindexRow(handle: Database, kind: SearchKind, id: number): void {
  handle.query(`delete from ${kind}_search where rowid = ?`).run(id)
}

/** Bigrams of UTF-16 units in hexadecimal; the last unit alone has four digits, so no phrase crosses texts. */
export function gramsOf(texts: readonly string[]): string {
  const folded = new Set(texts.map(fold))
  const sought = [...new Set([...folded].flatMap((text) => [withoutMarks(text), ...marksOf(text)]))]
  // Skips texts contained in others; comparing very many would cost more than it saves.
  const needed =
    sought.length > mostCompared
      ? sought.filter((text) => text !== '')
      : sought.filter(
          (text) => text !== '' && !sought.some((other) => other !== text && other.includes(text)),
        )
  return needed.map(bigramsAndLast).join(' ')
}

const bigrams = (text: string) =>
  Array.from({ length: text.length - 1 }, (_, at) => unit(text, at) + unit(text, at + 1))

/** Each unit but the first and the last ends one bigram and begins the next: both are joined once per unit. */
function bigramsAndLast(text: string): string {
  const parts = [unit(text, 0)]
  for (let at = 1; at < text.length; at++) parts.push(endAndBegin(text, at))
  return parts.join('')
}

function endAndBegin(text: string, at: number): string {
  const code = text.charCodeAt(at)
  const known = joints[code]
  if (known !== undefined) return known
  const one = unit(text, at)
  const joint = `${one} ${one}`
  joints[code] = joint
  return joint
}

function unit(text: string, at: number): string {
  const code = text.charCodeAt(at)
  const known = units[code]
  if (known !== undefined) return known
  const digits = code.toString(16).padStart(4, '0')
  units[code] = digits
  return digits
}

const units: string[] = []
const joints: string[] = []
const longestSought = 1000
const mostCompared = 100
/** No index contains it: these are no hexadecimal digits. */
const nowhere = '"none"'
