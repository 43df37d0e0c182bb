import { sql } from 'kysely'
import { survivor } from '../../catalogue/survivors'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { ApiError } from '../../http/errors'
import { laterInPlaceOf, rowOver } from './rows-over'
import { type Change, mayStay, selectChanges, takeBackRow, type WhyLeft } from './take-back'

/** What an undo cannot undo. expired: after 30 days. */
export type UndoProblem = WhyLeft | 'expired'

/** What has to be undone before. */
export interface Blocker {
  /** written: by an application; `id` is that of the activity. */
  readonly what: 'act' | 'import' | 'written'
  readonly id: number
}

export class UndoRefused extends ApiError {
  constructor(
    readonly problem: UndoProblem,
    /** Undefined if nothing that its user could undo is in the way. */
    readonly blockedBy?: Blocker | undefined,
  ) {
    super('invalid_params', [`act_id must be an act that can be undone: ${reasons[problem]}.`])
  }
}

const reasons: Readonly<Record<UndoProblem, string>> = {
  changed: 'what it changed was changed since',
  used: 'what it made is in use',
  expired: 'this one is older than 30 days',
}

/**
 * Undoes a change, its rows from the last to the first, and forgets it. What may stay and cannot be undone is left, with the
 * reason; anything else throws `UndoRefused`. Returns false if the time was over before the first row.
 */
export async function undoChange(
  tx: Tx,
  change: Change,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  const { id, rowId, lastId } = change
  for (let row = lastId; row >= rowId; row -= 1) {
    const why = await takeBackRow(tx, change, row)
    if (why !== undefined && !mayStay(change))
      throw new UndoRefused(why, await blockerOf(tx, { ...change, rowId: row }, why))
    if (why !== undefined && rowId === lastId) {
      await tx.updateTable('changes').set({ left_because: why }).where('id', '=', id).execute()
      return true
    }
    if (why !== undefined) await leaveRow(tx, { change: id, row, why })
    if (row > rowId && isOver()) {
      await tx
        .updateTable('changes')
        .set({ last_id: row - 1 })
        .where('id', '=', id)
        .execute()
      return false
    }
  }
  await forget(tx, { id })
  return true
}

const forget = preparedSql<never, { id: number }>((slot) => sql`delete from changes where id = ${slot('id')}`)

/** Of rows that were inserted together, the one that stays becomes a change of its own. */
const leaveRow = preparedSql<never, { change: number; row: number; why: WhyLeft }>(
  (slot) => sql`
    insert into changes (user_id, act_id, import_id, work_id, table_name, row_id, last_id, is_aside, left_because)
    select user_id, act_id, import_id, work_id, table_name, ${slot('row')}, ${slot('row')}, is_aside, ${slot('why')}
    from changes where id = ${slot('change')}`,
)

/**
 * Undoes what earlier undos had to leave, now that something else on the same works is undone; newest first, as each may
 * uncover the one before. What other people use stays for good, what a block ended stays ended, and episodes go by trigger
 * (0027_changes.sql).
 */
export async function undoLeft(tx: Tx, userId: number, undone: readonly Change[]): Promise<void> {
  const works = JSON.stringify([...new Set(undone.map(({ workId }) => workId))])
  const left = sql`user_id = ${userId} and work_id in (select value from json_each(${works})) and left_because is not null
    and (left_because = 'changed' or table_name in ('statuses', 'library_entries', 'activities'))
    and table_name not in ('follows', 'follow_requests')`
  const changes = await selectChanges(tx, left, mostLeft)
  // A work's number in the library goes after whatever would give the work a status again.
  const isEntry = ({ table }: Change) => table === 'library_entries'
  for (const change of [...changes.filter((one) => !isEntry(one)), ...changes.filter(isEntry)])
    if ((await takeBackRow(tx, change, change.rowId)) === undefined) await forget(tx, change)
}

/** Takes some 5 ms. */
const mostLeft = 100

/**
 * The newest act or import that must be undone before: it changed the same row; or the row is as an undone act had to
 * leave it, or in use, because of later ones on the work. Undefined if none of the user's is in the way.
 */
export async function blockerOf(tx: Tx, change: Change, why: WhyLeft): Promise<Blocker | undefined> {
  const { id, userId: user, workId: work, table, rowId: row, actId } = change
  // A work that left a list comes back unless it was put there again.
  const isUsed = why === 'used' || table === 'list_works' ? 1 : 0
  const about = { id, user, work, isUsed, act: actId ?? 0 }
  const over = rowOver(table, change.before, work)
  const inPlace = await laterInPlaceOf(tx, change)
  const [found] = [
    ...(inPlace === undefined ? [] : [inPlace]),
    ...(table === 'lists' ? await laterOnList(tx, { user, list: row, act: actId ?? 0 }) : []),
    ...(await laterOnWork(tx, { ...about, table, row })),
    ...(over === undefined ? [] : await laterOnWork(tx, { ...about, ...over, user })),
  ]
  if (found === undefined) return await writtenInTheWay(tx, change, why)
  return found.act_id === null
    ? { what: 'import', id: found.import_id ?? 0 }
    : { what: 'act', id: found.act_id }
}

/** A list that was made stays for what is in it. Uses acts_user. */
const laterOnList = preparedSql<
  { act_id: number | null; import_id: number | null },
  { user: number; list: number; act: number }
>(
  (slot) => sql`
    select id as act_id, null as import_id from acts
    where user_id = ${slot('user')} and list_id = ${slot('list')} and id > ${slot('act')} and undone_at is null
    order by id desc limit 1`,
)

/**
 * Follows, requests and blocks of the same two end each other, and each comes back as another row: such acts are undone from
 * the last to the first. Throws `UndoRefused` with the one to undo before.
 */
export async function mustBeLastBetween(tx: Tx, which: { user: number; act: number }): Promise<void> {
  const [later] = await laterBetween(tx, which)
  if (later !== undefined) throw new UndoRefused('changed', { what: 'act', id: later.id })
}

/** Uses acts_user. */
const laterBetween = preparedSql<{ id: number }, { user: number; act: number }>((slot) => {
  const kinds = sql`('follow', 'unfollow', 'block', 'unblock')`
  return sql`
    select later.id from acts as undone join acts as later on later.user_id = undone.user_id and later.id > undone.id
    where undone.id = ${slot('act')} and undone.user_id = ${slot('user')} and undone.kind in ${kinds}
      and later.other_id = undone.other_id and later.undone_at is null and later.kind in ${kinds}
    order by later.id desc limit 1`
})

/**
 * What an application wrote that is in the way: the status of the work, or a record of it that uses an episode or a lap.
 * Uses activities_user.
 */
export async function writtenInTheWay(
  tx: Tx,
  { userId: user, workId: work, table }: Change,
  why: WhyLeft,
): Promise<Blocker | undefined> {
  if (why === 'changed' && table !== 'statuses') return undefined
  const [written] = await writtenOnWork(tx, { user, work, isUsed: why === 'used' ? 1 : 0 })
  return written && { what: 'written', id: written.id }
}

const writtenOnWork = preparedSql<{ id: number }, { user: number; work: number; isUsed: number }>(
  (slot) => sql`
    select told.id from (
      select id, token_id from activities where user_id = ${slot('user')} order by id desc limit 10000) as listed
    cross join activities as told on told.id = listed.id
    where listed.token_id is not null and told.work_id = ${survivor('works', slot('work'))} and iif(${slot('isUsed')},
      told.action in ('create_record', 'create_multiple_records'),
      exists (
        select 1 from statuses where statuses.user_id = told.user_id and statuses.work_id = told.work_id
          and statuses.kind = told.status_kind and statuses.changed_at = told.created_at))
    limit 1`,
)

type LaterOnWork = {
  id: number
  user: number
  work: number
  table: string
  row: number
  isUsed: number
  act: number
}

/** Uses changes_work. */
const laterOnWork = preparedSql<{ act_id: number | null; import_id: number | null }, LaterOnWork>((slot) => {
  const works = sql`(${slot('work')}, ${survivor('works', slot('work'))})`
  const rows = sql`(${slot('row')}, iif(${slot('row')} = ${slot('work')}, ${survivor('works', slot('work'))}, ${slot('row')}))`
  return sql`
    with later as (
      select id, act_id, import_id, left_because, table_name = ${slot('table')} and row_id in ${rows} as is_same,
        (before is null and table_name in ('records', 'skips', 'laps', 'episodes', 'list_works'))
          or (before is not null and after is null and table_name in ('records', 'skips')) as is_use
      from changes where user_id = ${slot('user')} and work_id in ${works} and id > ${slot('id')}
        and act_id is not ${slot('act')})
    select act_id, import_id from later
    where left_because is null and (is_same or (${slot('isUsed')} and is_use) or exists (
      select 1 from later where is_same and left_because is not null))
    order by is_same desc, id desc limit 1`
})
