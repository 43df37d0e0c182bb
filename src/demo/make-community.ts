import type { Database } from 'bun:sqlite'
import { countedTables, setCounters } from '../catalogue/counters/recount'
import { setRowCounts } from '../catalogue/counters/recount-rows'
import { Failure } from '../lib/failure'
import { type Asked, communityRows } from './community-rows'
import { createWriter } from './rows'
import { suspendUpkeep, type Upkeep } from './upkeep'

/** What came of it. */
export interface Made {
  /** How many rows were made, by what they are. */
  readonly counts: Readonly<Record<string, number>>
  /** The username of somebody who follows many others; undefined where nobody was made. */
  readonly example: string | undefined
}

/**
 * Adds a made-up community in one transaction, which is much faster than `addCommunity` and for a database that nobody
 * else writes to: all of it or nothing. Users who are there already are left alone. Throws a `data` failure.
 */
export function makeCommunity(handle: Database, asked: Asked): Made {
  handle.run('begin immediate')
  try {
    if (!asked.force) refuseUsers(handle)
    const firstId = reserveUsers(handle, asked.users)
    const rows = communityRows(handle, asked, firstId)
    const upkeep = suspendUpkeep(handle, writtenTables)
    const { write, counts } = createWriter(handle, asked.onProgress)
    for (let step = rows.next(); step.done !== true; ) step = rows.next(write(step.value))
    catchUp(handle, upkeep, asked.onProgress)
    const made = madeOf(handle, counts, firstId)
    handle.run('commit')
    return made
  } finally {
    if (handle.inTransaction) handle.run('rollback')
  }
}

/** Throws a `data` failure where there are users: nobody wants a made-up community among real ones by mistake. */
export function refuseUsers(handle: Database): void {
  const [user] = handle.query<{ username: string }, []>('select username from users limit 1').all()
  if (user !== undefined)
    throw new Failure('data', `there are users already, such as ${user.username}: --force adds to them`)
}

/** Keeps ids for so many users, whatever others write meanwhile. Returns the first. The caller holds the transaction. */
export function reserveUsers(handle: Database, users: number): number {
  const [row] = handle
    .query<{ seq: number }, []>("select seq from sqlite_sequence where name = 'users'")
    .all()
  const last = row?.seq ?? 0
  handle.run("delete from sqlite_sequence where name = 'users'")
  handle.run("insert into sqlite_sequence (name, seq) values ('users', ?)", [last + users])
  return last + 1
}

/** What came of it, once the rows are written: those of each table, and who of the users follows most others. */
export function madeOf(handle: Database, counts: ReadonlyMap<string, number>, firstId: number): Made {
  const [user] = handle
    .query<{ username: string }, [number]>(
      'select username from users where id >= ? order by followings_count desc, id limit 1',
    )
    .all(firstId)
  const told = writtenTables.filter((table) => table !== 'activity_records')
  return {
    counts: Object.fromEntries(told.map((table) => [table.replace('user_', ''), counts.get(table) ?? 0])),
    example: user?.username,
  }
}

/** Does at once what the triggers and indexes would have done at every row. */
function catchUp(handle: Database, upkeep: Upkeep, onProgress: (text: string) => void): void {
  onProgress('indexes')
  // What was made is written; the sorting that comes now takes as much memory again.
  Bun.gc(true)
  // These counters stand in indexes, so they are set before those are made; counting likes takes the likes' own.
  upkeep.restoreIndexes(['likes'])
  setCounters(handle, likedTables)
  upkeep.restoreIndexes(writtenTables.filter((table) => table !== 'likes'))
  onProgress('counters')
  setCounters(
    handle,
    countedTables.filter((table) => !likedTables.includes(table)),
  )
  setRowCounts(handle)
  upkeep.restoreTriggers()
}

const likedTables = ['records', 'reviews']
/** The tables a community is written into. */
export const writtenTables = [
  ...['users', 'records', 'reviews', 'activities', 'activity_records', 'statuses', 'follows', 'likes'],
  ...['notifications', 'mutes', 'favorites', 'user_channels'],
]
