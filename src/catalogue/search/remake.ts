import type { Database } from 'bun:sqlite'
import { idRanges } from '../counters/id-ranges'
import { addTexts, compactIndex } from './index-row'
import { type SearchKind, searchKinds, textsBetween } from './texts'

/**
 * Makes all indexes anew where they were made by other rules than those of this version, or in a database from before
 * there were any. The caller holds the transaction.
 */
export function remakeIndexes(handle: Database): void {
  const name = 'search_rules'
  const [made] = handle
    .query<{ value: string }, [string]>('select value from instance where name = ?')
    .all(name)
  if (made?.value === rules) return
  for (const kind of searchKinds) remakeIndex(handle, kind)
  handle.query('insert or replace into instance (name, value) values (?, ?)').run(name, rules)
}

/** To be counted up with every change of what makes grams or keys, and with it a migration, however empty. */
const rules = '1'

function remakeIndex(handle: Database, kind: SearchKind): void {
  handle.run(`insert into ${kind}_search (${kind}_search) values ('delete-all')`)
  handle.run(`insert into ${kind}_key_search (${kind}_key_search) values ('delete-all')`)
  handle.run(`delete from ${kind}_search_keys`)
  for (const { from, to } of idRanges(handle, kind))
    for (const texts of textsBetween(handle, kind, from, to)) addTexts(handle, kind, texts)
  for (const _ of compactIndex(handle, kind));
}
