import type { Database } from 'bun:sqlite'
import type { ChosenRows, MergeLog } from '../import/merge/merge-log'
import { findMove } from '../import/merge/moves'
import { numbersOf } from '../numbers-of'
import { type ChangeAbout, logChange } from './log'
import { MergeRefused, refuseUnlessFree, type StoredMerge } from './merges'

interface SplitOrder {
  readonly from: number
  readonly to: number
  readonly episodes: readonly number[]
  /** Records that go. */
  readonly total: number
}

/**
 * Begins to move episodes to another work, with what refers to them; `runMerges` does the rest, and its undo is that of a merge.
 * `change`: that which created the other work. Returns the id of the change. Throws a `MergeRefused`.
 */
export function beginSplit(
  handle: Database,
  { from, to, episodes, total }: SplitOrder,
  about: Omit<ChangeAbout, 'kind' | 'work'>,
  change = logChange(handle, { kind: 'split', work: from, ...about }, []),
): number {
  if (from === to) throw new MergeRefused('same')
  for (const id of [from, to]) refuseUnlessFree(handle, 'work', id)
  const ids = JSON.stringify(episodes)
  const [others] = numbersOf(
    handle,
    'select count(*) from json_each(?) where value not in (select id from episodes where work_id = ? and hidden = 0)',
    ids,
    from,
  )
  if (episodes.length === 0 || others !== 0) throw new MergeRefused('gone')
  handle
    .query(
      `insert into catalogue_merges (change_id, task, kind, from_id, to_id, total, episode_ids)
       values (?, 'split', 'work', ?, ?, ?, ?)`,
    )
    .run(change, from, to, total, ids)
  return change
}

interface SplitMeans {
  readonly log: MergeLog
  /** Epoch milliseconds. */
  readonly now: number
}

/** Consistent and restartable at each `yield`. The caller holds the transaction. */
export function* splitWork(
  handle: Database,
  { from_id: from, to_id: to, episode_ids: ids }: StoredMerge,
  { log, now }: SplitMeans,
): Generator<void> {
  const ofEpisodes = 'episode_id in (select value from json_each(?))'
  const chosen = { from, to, ids, log }
  // Before the episodes, which would move all of them in one statement.
  yield* move(handle, { table: 'records', where: ofEpisodes, ...chosen })
  yield* move(handle, { table: 'episodes', where: 'id in (select value from json_each(?))', ...chosen })
  yield* move(handle, { table: 'records', where: ofEpisodes, ...chosen })
  yield* move(handle, { table: 'programs', where: ofEpisodes, ...chosen })
  yield* move(handle, { table: 'meetings', where: onlySuch('meeting_episodes', 'meeting_id'), ...chosen })
  yield* move(handle, { table: 'activities', where: onlyRecordsOf, ...chosen })
  yield* tellStatuses(handle, { from, to, ids, log, now })
}

/** Of rows with several episodes: all of theirs go. */
const onlySuch = (table: string, column: string) => `
  exists (select 1 from ${table} where ${column} = meetings.id)
  and not exists (
    select 1 from ${table} where ${column} = meetings.id and episode_id not in (select value from json_each(?)))`

const onlyRecordsOf = `
  action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
  and not exists (
    select 1 from activity_records join records on records.id = record_id
    where activity_id = activities.id and episode_id not in (select value from json_each(?)))`

interface SplitRows {
  readonly from: number
  readonly to: number
  /** JSON of the ids of the episodes. */
  readonly ids: string
  readonly log: MergeLog
}

/** A hundred rows per step. */
function* move(
  handle: Database,
  { table, where, from, to, ids, log }: SplitRows & Pick<ChosenRows, 'table' | 'where'>,
): Generator<void> {
  const also = findMove(table, 'work_id')?.also ?? ''
  const isLeft = `select id from ${table} where work_id = ? and ${where} limit ${atOnce}`
  for (;;) {
    const some = numbersOf(handle, isLeft, from, ids)
    if (some.length === 0) return
    const keys = JSON.stringify(some)
    const inBatch = { where: 'id in (select value from json_each(?))', values: [keys] }
    log.moving({ table, column: 'work_id', from, to, ...inBatch }, () =>
      handle
        .query(`update ${table} set work_id = ?1${also} where id in (select value from json_each(?2))`)
        .run(to, keys),
    )
    yield
  }
}

const atOnce = 100

/**
 * Who recorded any of the episodes has the other work in their library: as watched if all, with the mark of their status of the
 * first, and the viewings that they began. No activity tells of it.
 */
function* tellStatuses(
  handle: Database,
  { from, to, ids, log, now }: SplitRows & { readonly now: number },
): Generator<void> {
  for (let after = 0; ; ) {
    const users = numbersOf(handle, whoRecorded, ids, after)
    const last = users.at(-1)
    if (last === undefined) return
    after = last
    const some = JSON.stringify(users)
    const ofUsers = 'work_id = ? and user_id in (select value from json_each(?))'
    const rows = { where: ofUsers, values: [to, some] }
    log.changing({ table: 'library_entries', ...rows }, () =>
      log.changing({ table: 'statuses', ...rows }, () =>
        handle.query(addStatuses).run(to, from, ids, some, now),
      ),
    )
    log.changing({ table: 'laps', ...rows }, () => handle.query(addLaps).run(to, from, ids, some))
    yield
  }
}

// uses records_episode
const whoRecorded = `
  select distinct user_id from records
  where episode_id in (select value from json_each(?)) and user_id > ? order by user_id limit ${atOnce}`

const addStatuses = `
  insert or ignore into statuses (user_id, work_id, kind, changed_at, private, first_activity_id)
  select records.user_id, ?1,
    iif(count(distinct episode_id) >= json_array_length(?3), 'watched', 'watching'), ?5,
    max(ifnull((select private from statuses where user_id = records.user_id and work_id = ?2), 0), min(records.private)),
    (select ifnull(max(id), 0) + 1 from activities)
  from records
  where episode_id in (select value from json_each(?3)) and user_id in (select value from json_each(?4))
  group by records.user_id`

const addLaps = `
  insert or ignore into laps (user_id, work_id, number, started_at)
  select user_id, ?1, number, started_at from laps
  where work_id = ?2 and user_id in (select value from json_each(?4)) and number <= (
    select max(lap) from records
    where records.user_id = laps.user_id and episode_id in (select value from json_each(?3)))`
