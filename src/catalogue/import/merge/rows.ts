import type { Database } from 'bun:sqlite'
import { dropEstimates } from '../../estimate/drop-estimates'
import type { Kind, KindName } from '../kinds/field'
import { moveAll } from './moves'
import { type Pair, twinsOf } from './twins'
import { adoptAliases, keepWorkNames, listEpisode } from './words'

/** Merges one row into another (D67). Consistent and restartable at each `yield`. The caller holds the transaction. */
export function* mergeRows(
  handle: Database,
  kind: Kind,
  { from, to }: Pair,
  onRename: OnRename = () => {},
): Generator<void> {
  if (kind.name === 'work') prepareWork(handle, from, to)
  yield* moveContents(handle, kind, { from, to }, onRename)
  // Users write only few rows between two pieces.
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

export type OnRename = (kind: KindName, id: number) => void

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

/** Drops either work's estimates if the other has listed episodes. */
function prepareWork(handle: Database, from: number, to: number): void {
  adoptAliases(handle, from)
  dropEstimates(handle, from)
  const listed = handle.query('select 1 from episodes where work_id = ? and estimated = 0 limit 1')
  if (listed.values(from).length > 0) dropEstimates(handle, to)
}

/** Turns the merged row's keys into merged keys of the other row. */
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

/** Points redirects to the merged row at the survivor, so that chains are one step long. */
function lead(handle: Database, { name }: Kind, from: number, to: number): void {
  // uses redirects_to
  handle.query('update redirects set to_id = ? where kind = ? and to_id = ?').run(to, name, from)
  handle.query('insert or replace into redirects (kind, from_id, to_id) values (?, ?, ?)').run(name, from, to)
}
