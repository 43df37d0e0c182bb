import { dropEstimates } from '../estimate/drop-estimates'
import type { Kind, KindName } from './field'
import type { Run } from './run'

/** A column that refers to a row and follows it when the row is merged into another; what else changes with it. */
type Move = readonly [table: string, column: string, also: string]

const versioned = ', version = version + 1'
const withWork = `${versioned}, hidden = (hidden & 1) | (select hidden * 2 from works where id = ?1)`

/** What moves with a merged row: every column that refers to one. What the row that stays has already is not moved twice. */
export const moves: Readonly<Partial<Record<KindName, readonly Move[]>>> = {
  work: [
    ['episodes', 'work_id', withWork],
    ['casts', 'work_id', withWork],
    ['staffs', 'work_id', withWork],
    ['programs', 'work_id', withWork],
    ['work_aliases', 'work_id', ''],
    ['series_works', 'work_id', ''],
    ['streams', 'work_id', ''],
    ['records', 'work_id', versioned],
    ['reviews', 'work_id', versioned],
    ['activities', 'work_id', versioned],
    ['statuses', 'work_id', ''],
  ],
  series: [
    ['series_works', 'series_id', ''],
    ['characters', 'series_id', versioned],
  ],
  episode: [
    ['programs', 'episode_id', versioned],
    ['records', 'episode_id', versioned],
  ],
  person: [
    ['casts', 'person_id', versioned],
    ['staffs', 'person_id', versioned],
    ['favorites', 'person_id', ''],
  ],
  organization: [
    ['staffs', 'organization_id', versioned],
    ['favorites', 'organization_id', ''],
  ],
  character: [
    ['casts', 'character_id', versioned],
    ['favorites', 'character_id', ''],
  ],
  channel: [
    ['programs', 'channel_id', versioned],
    ['user_channels', 'channel_id', ''],
  ],
  channel_group: [['channels', 'channel_group_id', versioned]],
}

/** Makes one row part of another: all that belongs to it moves, it is hidden, and its id leads to the other's. */
export function mergeRows(run: Run, kind: Kind, from: number, to: number): void {
  const { handle, keys } = run
  if (kind.name === 'work') {
    dropEstimates(handle, from)
    handle.query(olderStatuses).run(to, from)
  }
  for (const move of moves[kind.name] ?? []) moveAll(run, move, from, to)
  moveNames(run, kind, from, to)
  keys.forget(kind.name)
  handle.query(`update ${kind.table} set hidden = hidden | 1, version = version + 1 where id = ?`).run(from)
  handle.query(`update ${kind.table} set version = version + 1 where id = ?`).run(to)
  handle.query('update redirects set to_id = ? where kind = ? and to_id = ?').run(to, kind.name, from)
  handle
    .query('insert or replace into redirects (kind, from_id, to_id) values (?, ?, ?)')
    .run(kind.name, from, to)
}

function moveAll({ handle }: Run, [table, column, also]: Move, from: number, to: number): void {
  handle.query(`update or ignore ${table} set ${column} = ?1${also} where ${column} = ?2`).run(to, from)
  // What stayed behind is there already. Rows that are shown by themselves never stay behind.
  if (also === '') handle.query(`delete from ${table} where ${column} = ?`).run(from)
}

/** Who has a status on both works keeps the one that was changed last. */
const olderStatuses = `
  delete from statuses where work_id = ?1 and exists (
    select 1 from statuses as other
    where other.user_id = statuses.user_id and other.work_id = ?2 and other.changed_at > statuses.changed_at)`

/** The keys of the merged row lead to the other from now on, but name it no more. */
function moveNames({ handle }: Run, { name }: Kind, from: number, to: number): void {
  handle.query(copyNames).run(to, name, from)
  handle
    .query('delete from external_ids indexed by external_ids_local where kind = ? and local_id = ?')
    .run(name, from)
}

const copyNames = `
  insert into external_ids (kind, ns, external_id, local_id, is_key)
  select kind, ns, external_id, ?, iif(is_key = 0, 0, 2) from external_ids indexed by external_ids_local where kind = ? and local_id = ?
  on conflict do update set is_key = excluded.is_key where external_ids.is_key = 0`
