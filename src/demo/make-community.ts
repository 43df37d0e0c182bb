import type { Database } from 'bun:sqlite'
import { indexAllNames } from '../accounts/name-index'
import {
  countedTables,
  type KeptColumn,
  keptColumns,
  setColumn,
  setCounters,
} from '../catalogue/counters/recount'
import { collectGarbage } from '../lib/collect-garbage'
import { Failure } from '../lib/failure'
import { type CommunityOptions, communityRows } from './community-rows'
import { createWriter } from './rows'

export interface CommunityResult {
  readonly counts: Readonly<Record<string, number>>
  /** The username of somebody who follows many others; undefined if no users were made. */
  readonly example: string | undefined
}

/** In one transaction: faster than `addCommunity`, but locks the database for long. Throws a `data` failure. */
export function makeCommunity(handle: Database, options: CommunityOptions): CommunityResult {
  handle.run('begin immediate')
  try {
    if (!options.force) refuseIfUsersExist(handle)
    const firstId = reserveUsers(handle, options.users)
    const rows = communityRows(handle, options, firstId)
    const dropped = dropTriggersAndIndexes(handle, writtenTables)
    const { write, counts } = createWriter(handle, options.onProgress)
    for (let step = rows.next(); step.done !== true; ) step = rows.next(write(step.value))
    restoreIndexesAndCounters(handle, dropped, options.onProgress)
    handle.run('insert into unindexed_users (id) select id from users where id >= ?', [firstId])
    indexAllNames(handle)
    const made = resultOf(handle, counts, firstId)
    handle.run('commit')
    return made
  } finally {
    if (handle.inTransaction) handle.run('rollback')
  }
}

interface DroppedSchema {
  restoreIndexes(tables: readonly string[]): void
  restoreTriggers(): void
}

interface SchemaRow {
  readonly type: 'trigger' | 'index'
  readonly name: string
  readonly tbl_name: string
  readonly sql: string
}

/**
 * Drops the triggers and indexes of tables for a bulk insert: per row they would cost twenty times as much as
 * the row. The caller holds the transaction and restores everything before committing.
 */
function dropTriggersAndIndexes(handle: Database, tables: readonly string[]): DroppedSchema {
  const parts = handle
    .query<SchemaRow, [string]>(
      `select type, name, tbl_name, sql from sqlite_schema where type in ('trigger', 'index') and sql is not null
         and tbl_name in (select value from json_each(?)) order by rowid`,
    )
    .all(JSON.stringify(tables))
  for (const { type, name } of parts) handle.run(`drop ${type} ${name}`)
  const restore = (wanted: (part: SchemaRow) => boolean) => {
    for (const { sql } of parts.filter(wanted)) handle.run(sql)
  }
  return {
    restoreIndexes: (of) => restore(({ type, tbl_name }) => type === 'index' && of.includes(tbl_name)),
    restoreTriggers: () => restore(({ type }) => type === 'trigger'),
  }
}

/** Throws a `data` failure, so that nobody mixes a made-up community with real users by accident. */
export function refuseIfUsersExist(handle: Database): void {
  const [user] = handle.query<{ username: string }, []>('select username from users limit 1').all()
  if (user !== undefined)
    throw new Failure(
      'data',
      `the instance already has users, such as ${user.username}; use --force to add to them`,
    )
}

/** Reserves ids, whatever others write meanwhile, and returns the first. The caller holds the transaction. */
export function reserveUsers(handle: Database, users: number): number {
  const [row] = handle
    .query<{ seq: number }, []>("select seq from sqlite_sequence where name = 'users'")
    .all()
  const last = row?.seq ?? 0
  handle.run("delete from sqlite_sequence where name = 'users'")
  handle.run("insert into sqlite_sequence (name, seq) values ('users', ?)", [last + users])
  return last + 1
}

export function resultOf(
  handle: Database,
  counts: ReadonlyMap<string, number>,
  firstId: number,
): CommunityResult {
  const [user] = handle
    .query<{ username: string }, [number]>(
      "select username from users where id >= ? order by privacy = 'private', followings_count desc, id limit 1",
    )
    .all(firstId)
  const reportedTables = writtenTables.filter((table) => !partTables.includes(table))
  return {
    counts: Object.fromEntries(
      reportedTables.map((table) => [table.replace('user_', ''), counts.get(table) ?? 0]),
    ),
    example: user?.username,
  }
}

/** Does in bulk what triggers and indexes would have done for every row. */
function restoreIndexesAndCounters(
  handle: Database,
  dropped: DroppedSchema,
  onProgress: (text: string) => void,
): void {
  onProgress('indexes')
  // Frees the rows first: sorting for the indexes takes as much memory again.
  collectGarbage()
  // Counters and indexes are of what is shared.
  for (const kept of keptColumns.filter(isOfAudience)) setColumn(handle, kept)
  // Indexes contain these counters, so the counters are set first; counting likes and comments needs theirs.
  dropped.restoreIndexes(answerTables)
  setCounters(handle, likedTables)
  dropped.restoreIndexes(writtenTables.filter((table) => !answerTables.includes(table)))
  onProgress('counters')
  setCounters(
    handle,
    countedTables.filter((table) => !likedTables.includes(table)),
  )
  handle.run(numberEntries)
  dropped.restoreTriggers()
}

const isOfAudience = ({ table, column }: KeptColumn): boolean =>
  table === 'withheld_rows' || (column === 'withheld' && writtenTables.includes(table))

/** Does what the trigger on statuses would have done. */
const numberEntries = `
  insert into library_entries (user_id, work_id)
  select user_id, work_id from statuses where true order by changed_at, user_id, work_id on conflict do nothing`

const answerTables = ['likes', 'comments']
const likedTables = ['records', 'reviews']
const partTables = ['activity_records', 'meeting_episodes', 'meeting_people']
export const writtenTables = [
  ...['users', 'records', 'reviews', 'activities', 'activity_records', 'statuses', 'follows', 'likes'],
  ...['comments', 'lists', 'list_works', 'meetings', 'meeting_episodes', 'meeting_people'],
  ...['notifications', 'mutes', 'favorites', 'user_channels'],
]
