import type { Database } from 'bun:sqlite'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { fold } from '../lib/fold'

/** The tables whose rows are found by text: each has a table `…_search` (0004_search.sql), which imports keep. */
export type SearchKind = 'works' | 'characters' | 'people' | 'organizations' | 'series'

/** What of a row is searched, besides a work's aliases (D17). */
export const searchedColumns = {
  works: ['title', 'title_kana', 'title_en'],
  characters: ['name', 'name_kana', 'name_en'],
  people: ['name', 'name_kana', 'name_en'],
  organizations: ['name', 'name_kana', 'name_en'],
  series: ['name', 'name_ro', 'name_en'],
} as const satisfies Readonly<Record<SearchKind, readonly string[]>>

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
 * What to bind for a text sought: a phrase of its bigrams, or a prefix where it is a single character. A blank text, and
 * one longer than any title, is found nowhere.
 */
export function searchTerm(text: string): string {
  const folded = fold(text)
  if (folded === '' || folded.length > longestSought) return nowhere
  if (folded.length === 1) return `${unit(folded, 0)}*`
  return `"${bigrams(folded).join(' ')}"`
}

/** Makes a row findable by these texts, and no others. */
export function indexRow(handle: Database, kind: SearchKind, id: number, texts: readonly string[]): void {
  handle.query(`insert or replace into ${kind}_search (rowid, grams) values (?, ?)`).run(id, gramsOf(texts))
}

/** Makes a row unfindable. */
export function unindexRow(handle: Database, kind: SearchKind, id: number): void {
  handle.query(`delete from ${kind}_search where rowid = ?`).run(id)
}

/** Brings the index of one row in line with what the row says now. */
export function reindexRow(handle: Database, kind: SearchKind, id: number): void {
  const [texts] = handle.query(`${textsQuery(kind)} and id = ?`).values(id)
  if (texts === undefined) unindexRow(handle, kind, id)
  else indexRow(handle, kind, id, texts.map(String))
}

/**
 * Merges what many writes left in pieces: a search of several characters is about twice as fast after it. Each step
 * writes some hundred pages.
 */
export function* compactIndex(handle: Database, kind: SearchKind): Generator<void> {
  const merge = handle.query(`insert into ${kind}_search (${kind}_search, rank) values ('merge', ?)`)
  const changes = () => Number(handle.query('select total_changes()').values()[0]?.[0])
  // A negative number begins to merge all there is; a step that finds nothing to do makes one change (FTS5, 6.8).
  let before = changes()
  merge.run(-pagesAtOnce)
  for (let now = changes(); now - before > 1; now = changes()) {
    yield
    before = now
    merge.run(pagesAtOnce)
  }
}

/**
 * The searched texts of every row of a table that is to be found, in no order: `id` follows the texts where it is asked
 * for. Hidden works too: whoever has one among their own finds it there (D42).
 */
export function textsQuery(kind: SearchKind, also = ''): string {
  const aliases = `(select group_concat(title, char(0)) from work_aliases where work_id = works.id)`
  const columns = [...searchedColumns[kind], ...(kind === 'works' ? [`ifnull(${aliases}, '')`] : [])]
  const which = kind === 'works' ? 'true' : 'hidden = 0'
  return `select ${columns.join(', ')}${also} from ${kind} where ${which}`
}

/**
 * The index form of texts: each folded, cut into overlapping pairs of UTF-16 units of eight hexadecimal digits, the last
 * unit alone. That one has four digits, so no phrase goes on into the next text.
 */
export function gramsOf(texts: readonly string[]): string {
  const folded = [...new Set(texts.flatMap((text) => fold(text).split('\0')))]
  // What another text contains is found through that one. Comparing very many would take longer than it saves.
  const needed =
    folded.length > mostCompared
      ? folded.filter((text) => text !== '')
      : folded.filter(
          (text) => text !== '' && !folded.some((other) => other !== text && other.includes(text)),
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
const pagesAtOnce = 100
const mostCompared = 100
/** A term that no index holds: its digits are none. */
const nowhere = '"none"'
