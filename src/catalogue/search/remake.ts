import type { Database } from 'bun:sqlite'
import { idRanges } from '../counters/id-ranges'
import { compactIndex, rowAdder } from './index-row'
import { type SearchKind, searchKinds, textsBetween } from './texts'

/** Rebuilds indexes that were made by other `rules` or never made. The caller holds the transaction. */
export function remakeIndexes(handle: Database): void {
  const name = 'search_rules'
  const [made] = handle
    .query<{ value: string }, [string]>('select value from instance where name = ?')
    .all(name)
  if (made?.value === rules) return
  for (const kind of searchKinds) remakeIndex(handle, kind)
  handle.query('insert or replace into instance (name, value) values (?, ?)').run(name, rules)
}

/** Raise it with every change to grams or keys, together with a (possibly empty) migration. */
const rules = '2'

function remakeIndex(handle: Database, kind: SearchKind): void {
  handle.run(`insert into ${kind}_search (${kind}_search) values ('delete-all')`)
  handle.run(`insert into ${kind}_key_search (${kind}_key_search) values ('delete-all')`)
  handle.run(`delete from ${kind}_search_keys`)
  const add = rowAdder(handle, kind)
  for (const { from, to } of idRanges(handle, kind))
    for (const texts of textsBetween(handle, kind, from, to)) add(texts)
  for (const _ of compactIndex(handle, kind));
}
