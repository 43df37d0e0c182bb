import type { Database } from 'bun:sqlite'
import { indexRow, unindexRow } from './contains'
import { termsOf } from './keys/grams'
import { keysOf, keysPerRow } from './keys/keys'
import { type RowTexts, type SearchKind, textsOfAll } from './texts'

export const reindexRow = (handle: Database, kind: SearchKind, id: number): void =>
  reindexRows(handle, kind, [id])

/** In order of ids, as FTS5 flushes its buffer whenever a row id is lower than the previous one. */
export function reindexRows(handle: Database, kind: SearchKind, ids: Iterable<number>): void {
  const inOrder = [...ids].toSorted((one, other) => one - other)
  const texts = new Map(textsOfAll(handle, kind, inOrder).map((row) => [row.id, row]))
  const add = rowAdder(handle, kind)
  const remove = keyRemover(handle, kind)
  for (const id of inOrder) {
    const row = texts.get(id)
    remove(id)
    if (row === undefined) unindexRow(handle, kind, id)
    else add(row)
  }
}

function keyRemover(handle: Database, kind: SearchKind): (id: number) => void {
  const known = handle.query(`select 1 from ${kind}_search_keys where id between ? and ? limit 1`)
  const terms = handle.query(`delete from ${kind}_key_search where rowid between ? and ?`)
  const keys = handle.query(`delete from ${kind}_search_keys where id between ? and ?`)
  return (id) => {
    const range = [id * keysPerRow, (id + 1) * keysPerRow - 1] as const
    if (known.values(...range).length === 0) return
    terms.run(...range)
    keys.run(...range)
  }
}

export function rowAdder(handle: Database, kind: SearchKind): (texts: RowTexts) => void {
  const addKey = handle.query(`insert into ${kind}_search_keys (id, kind, key, words) values (?, ?, ?, ?)`)
  const addTerms = handle.query(`insert into ${kind}_key_search (rowid, terms) values (?, ?)`)
  return (texts) => {
    indexRow(handle, kind, texts.id, texts.titles)
    for (const [n, { kind: of, key, words, hasParts }] of keysOf(texts).entries()) {
      const id = texts.id * keysPerRow + n
      addKey.run(id, of, key, words)
      if (hasParts) addTerms.run(id, termsOf(key, words))
    }
  }
}

/** Merges index segments, which makes searches about twice as fast. Each step writes a few hundred pages. */
export function* compactIndex(handle: Database, kind: SearchKind): Generator<void> {
  yield* compact(handle, `${kind}_search`)
  yield* compact(handle, `${kind}_key_search`)
}

function* compact(handle: Database, index: string): Generator<void> {
  const merge = handle.query(`insert into ${index} (${index}, rank) values ('merge', ?)`)
  const changes = () => Number(handle.query('select total_changes()').values()[0]?.[0])
  // A negative number starts a full merge; a step that has nothing to do makes one change (FTS5, 6.8).
  let before = changes()
  merge.run(-pagesAtOnce)
  for (let now = changes(); now - before > 1; now = changes()) {
    yield
    before = now
    merge.run(pagesAtOnce)
  }
}

const pagesAtOnce = 100
