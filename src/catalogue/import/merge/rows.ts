import type { Database } from 'bun:sqlite'
import { dropEstimates } from '../../estimate/drop-estimates'
import type { Kind, KindName } from '../kinds/field'
import { moveAll } from './moves'
import { twinsOf } from './twins'
import { adoptAliases, keepWorkNames, listEpisode } from './words'

/**
 * Makes one row part of another (D67): all that belongs to it moves, what both have becomes one, it is hidden, and its
 * id leads to the other's. May stop after each `yield`, where counters are right and nothing of a user's is missing, and
 * be begun again. The caller holds the transaction.
 */
export function* mergeRows(
  handle: Database,
  kind: Kind,
  { from, to }: Pair,
  onRename: OnRename = () => {},
): Generator<void> {
  if (kind.name === 'work') prepareWork(handle, from, to)
  yield* moveContents(handle, kind, { from, to }, onRename)
  // Whatever users wrote between two pieces is little, and goes along with the end.
  for (const _ of moveContents(handle, kind, { from, to }, onRename));
  if (kind.name === 'work') keepWorkNames(handle, from, to)
  if (kind.name === 'episode') listEpisode(handle, from, to)
  onRename(kind.name, from)
  moveNames(handle, kind, from, to)
  handle
    .query(
      `update ${kind.table} set hidden = hidden | 1, version = version + 1 where id = ? and hidden & 1 = 0`,
    )
    .run(from)
  handle.query(`update ${kind.table} set version = version + 1 where id = ?`).run(to)
  lead(handle, kind, from, to)
}

/** Which row becomes part of which. */
export type Pair = { readonly from: number; readonly to: number }

/** Told of a row before its names move to another. */
type OnRename = (kind: KindName, id: number) => void

function* moveContents(
  handle: Database,
  kind: Kind,
  { from, to }: Pair,
  onRename: OnRename,
): Generator<void> {
  for (const twins of twinsOf(handle, kind, from, to)) {
    yield* mergeRows(handle, twins.kind, twins, onRename)
    yield
  }
  yield* moveAll(handle, kind.name, from, to)
}

/** Estimates give way to the list of the other work, whichever of the two has one. */
function prepareWork(handle: Database, from: number, to: number): void {
  adoptAliases(handle, from)
  dropEstimates(handle, from)
  const listed = handle.query('select 1 from episodes where work_id = ? and estimated = 0 limit 1')
  if (listed.values(from).length > 0) dropEstimates(handle, to)
}

/** The keys of the merged row lead to the other from now on, but name it no more. */
function moveNames(handle: Database, { name }: Kind, from: number, to: number): void {
  handle.query(copyNames).run(to, name, from)
  handle
    .query('delete from external_ids indexed by external_ids_local where kind = ? and local_id = ?')
    .run(name, from)
}

const copyNames = `
  insert into external_ids (kind, ns, external_id, local_id, is_key)
  select kind, ns, external_id, ?, iif(is_key = 0, 0, 2) from external_ids indexed by external_ids_local where kind = ? and local_id = ?
  on conflict do update set is_key = excluded.is_key where external_ids.is_key = 0`

/** Every id that led to the one row leads to the other: a chain of merges is one step long. */
function lead(handle: Database, { name }: Kind, from: number, to: number): void {
  // uses redirects_to
  handle.query('update redirects set to_id = ? where kind = ? and to_id = ?').run(to, name, from)
  handle.query('insert or replace into redirects (kind, from_id, to_id) values (?, ?, ?)').run(name, from, to)
}
