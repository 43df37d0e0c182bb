import { type RawBuilder, sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { endBetween, endWhatCameOf, withdrawDeclined } from './comebacks'
import { restoreEpisodes } from './left-episodes'
import {
  byTable,
  deleteRow,
  findRow,
  insertAgain,
  isKeyOf,
  loggedRows,
  presentKey,
  type RowKey,
  setRow,
} from './rows'
import { canComeBack, keepAway, keepOut, laterInPlaceOf, rowOver } from './rows-over'
import { isSameRow, isUndoable, type RowColumns, type UndoableName, undoableTables } from './undoable-tables'

/** changed: the row has changed since. used: other rows, people or later acts depend on it. */
export type WhyLeft = 'changed' | 'used'

/** A row of `changes`, or one that was never logged, whose `id` is 0. */
export interface Change {
  readonly id: number
  readonly userId: number
  readonly actId: number | null
  readonly importId: number | null
  readonly workId: number
  readonly table: UndoableName
  readonly rowId: number
  readonly lastId: number
  readonly before: RowColumns | null
  readonly after: RowColumns | null
  readonly fallen: string | null
  readonly isAside: boolean
}

/** Whether an undo that cannot undo the change leaves it, instead of being refused. */
export const mayStay = ({ isAside, importId }: Change): boolean => isAside || importId !== null

/** Undoes the change of one of its rows; returns why it cannot. */
export function takeBackRow(tx: Tx, change: Change, id: number): Promise<WhyLeft | undefined> {
  if (change.before === null) return removeInserted(tx, change, id)
  return change.after === null ? restoreDeleted(tx, change) : changeBack(tx, change)
}

async function removeInserted(tx: Tx, change: Change, id: number): Promise<WhyLeft | undefined> {
  const { table, after, userId } = change
  const key = await presentKey(tx, table, { user: userId, id })
  const row = await findRow(tx, table, key)
  // What was deleted by a later act would come back with the undo of that.
  if (row === undefined) {
    if (await isChangedLater(tx, change, id, key.id)) return 'changed'
    if (table === 'comments') await keepAway(tx, { work: change.workId, id })
    if (table === 'list_works') await keepOut(tx, { user: userId, id })
    if (table === 'follow_requests') await endWhatCameOf(tx, userId, change.actId)
    return undefined
  }
  if (table === 'follow_requests' && row.declined_at !== null) {
    await withdrawDeclined(tx, { id })
    return undefined
  }
  if (after !== null && !isSameRow(table, row, after)) return 'changed'
  if (after !== null && (await isChangedLater(tx, change, id, key.id))) return 'changed'
  const why = await whyItStays(tx, change, key)
  if (why === undefined) await deleteRow(tx, table, key)
  return why
}

async function changeBack(tx: Tx, change: Change): Promise<WhyLeft | undefined> {
  const { table, before, after, userId, rowId } = change
  const key = await presentKey(tx, table, { user: userId, id: rowId })
  const row = await findRow(tx, table, key)
  const isLater = await isChangedLater(tx, change, rowId, key.id)
  // What was inserted earlier may have gone with the undo of that: there is nothing left to restore.
  if (row === undefined && !isLater && hasId(table)) {
    const over = rowOver(table, before, change.workId)
    return over !== undefined && (await canComeBack(tx, over)) ? 'changed' : undefined
  }
  if (row === undefined || isLater || after === null || !isSameRow(table, row, after)) return 'changed'
  if (mayStay(change) && (await isValuedSince(tx, change, key))) return 'used'
  if (await isFollowed(tx, change)) return 'used'
  if (before !== null) await setRow(tx, table, key, before)
  return undefined
}

async function restoreDeleted(tx: Tx, change: Change): Promise<WhyLeft | undefined> {
  const { table, before, fallen, userId, rowId } = change
  const key = await presentKey(tx, table, { user: userId, id: rowId })
  if (before === null || (await findRow(tx, table, key)) !== undefined) return 'changed'
  // What came back under a later deletion of the same could not be told from what that deleted.
  if (!hasId(table) && (await isChangedLater(tx, change, rowId, key.id))) return 'changed'
  if ((await laterInPlaceOf(tx, change)) !== undefined) return 'changed'
  if (!(await comesBack(tx, change, before))) return 'changed'
  if (table === 'blocks') await endBetween(tx, userId, Number(before.blocked_id))
  const rows = loggedRows(fallen)
  const episode = await restoreEpisodes(tx, { change: change.id, record: before }, rows)
  const row = episode === undefined ? before : { ...before, episode_id: episode }
  const result = await insertAgain(tx, [[table, row], ...rows.filter(([fell]) => fell !== 'episodes')])
  if (result !== 'gone') return result === 'done' ? undefined : 'changed'
  const over = rowOver(table, before, change.workId)
  // Where nothing brings back what a comment stood under, or the list, that went with the undo of what made it, or for good.
  if (over !== undefined) return (await canComeBack(tx, over)) ? 'changed' : undefined
  // What it belongs to is gone. That is as it should be if the row itself was to go with it.
  return (await leftInsert(tx, { user: userId, table, row: rowId })).length > 0 ? undefined : 'changed'
}

async function comesBack(tx: Tx, { table, actId }: Change, row: RowColumns): Promise<boolean> {
  const cell = (column: string) => sql`${row[column] ?? null}`
  const condition = undoableTables[table].comesBack?.({ cell, act: sql`${actId}` })
  if (condition === undefined) return true
  const { rows } = await sql`select 1 where ${condition}`.execute(tx)
  return rows.length > 0
}

/** A row whose insert an undo could not undo, as it was deleted. Uses changes_row. */
const leftInsert = preparedSql<{ id: number }, { user: number; table: UndoableName; row: number }>(
  (slot) => sql`
    select id from changes where user_id = ${slot('user')} and table_name = ${slot('table')} and row_id = ${slot('row')}
      and left_because is not null and before is null`,
)

async function whyItStays(tx: Tx, change: Change, key: RowKey): Promise<WhyLeft | undefined> {
  if (await isFollowed(tx, change)) return 'used'
  const [reasons] = await (mayStay(change) ? reasonsToLeave : reasonsToStay)(tx, change.table, key)
  // What was logged with its columns has been compared.
  if (reasons?.changed === 1 && change.after === null) return 'changed'
  return reasons?.used === 1 ? 'used' : undefined
}

type ReasonCells = { readonly changed: number; readonly used: number }

const never = sql`false`

const reasonsToStay = byTable<ReasonCells, RowKey>((table, slot) => {
  const { changed = never, used = never } = undoableTables[table].stays ?? {}
  return sql`select (${changed}) as changed, (${used}) as used from ${sql.table(table)} as row where ${isKeyOf(table, slot)}`
})

const reasonsToLeave = byTable<ReasonCells, RowKey>((table, slot) => {
  const { stays = {}, mayStay = {} } = undoableTables[table]
  const any = (one: keyof typeof stays): RawBuilder<unknown> =>
    sql`(${stays[one] ?? never}) or (${mayStay[one] ?? never})`
  return sql`select ${any('changed')} as changed, ${any('used')} as used from ${sql.table(table)} as row where ${isKeyOf(table, slot)}`
})

async function isValuedSince(tx: Tx, { table, after }: Change, key: RowKey): Promise<boolean> {
  if (undoableTables[table].isValued === undefined) return false
  return (await valued(tx, table, { ...key, since: Number(after?.modified_at ?? 0) })).length > 0
}

const valued = byTable<{ id: number }, RowKey & { since: number }>((table, slot) => {
  const { isValued = () => never } = undoableTables[table]
  return sql`select 1 from ${sql.table(table)} as row where ${isKeyOf(table, slot)} and ${isValued(slot('since'))}`
})

/** Whether an act or an import has changed the same row later, and was not undone. */
async function isChangedLater(tx: Tx, change: Change, row: number, present: number): Promise<boolean> {
  const { userId: user, table, before } = change
  // Nothing is earlier than the insert of a row with an id, which becomes a change of its own when an undo leaves it.
  const since = before === null && hasId(table) ? 0 : change.id
  return (await laterChange(tx, { id: change.id, since, user, table, row, present })).length > 0
}

const hasId = (table: UndoableName): boolean => undoableTables[table].key[0] === 'id'

type LaterThan = {
  id: number
  since: number
  user: number
  table: UndoableName
  row: number
  present: number
}

/** Uses changes_row. */
const laterChange = preparedSql<{ id: number }, LaterThan>(
  (slot) => sql`
    select id from changes where user_id = ${slot('user')} and table_name = ${slot('table')}
      and row_id in (${slot('row')}, ${slot('present')}) and id > ${slot('since')} and id <> ${slot('id')} and left_because is null
      and (before is not null or after is not null)
    limit 1`,
)

/** Whether what was watched later depends on the status that an act set beside its record, viewing or lap. */
async function isFollowed(tx: Tx, { id, userId, workId, table, isAside }: Change): Promise<boolean> {
  if (!isAside || table !== 'statuses') return false
  return (await followers(tx, { id, user: userId, work: workId })).length > 0
}

/**
 * By what the changes were, not by what has become of their rows: what is deleted since would free the status for the undo
 * of something else. A rating is no viewing. Uses changes_work.
 */
const followers = preparedSql<{ id: number }, { id: number; user: number; work: number }>(
  (slot) => sql`
    select id from changes where user_id = ${slot('user')} and work_id = ${slot('work')} and id > ${slot('id')}
      and left_because is null and (
        (before is null and table_name in ('records', 'laps'))
        or (table_name = 'reviews' and before ->> 'watched_at' is null and iif(before is null and after is null,
          exists (select 1 from acts where acts.id = act_id and kind <> 'rating'), after ->> 'watched_at' is not null)))
    limit 1`,
)

/** In the order of an undo. */
export async function selectChanges(
  tx: Tx,
  which: RawBuilder<unknown>,
  limit = -1,
): Promise<readonly Change[]> {
  const { rows } = await sql<ChangeCells>`
    select id, user_id, act_id, import_id, work_id, table_name, row_id, last_id, before, after, fallen, is_aside
    from changes where ${which} order by id desc limit ${limit}`.execute(tx)
  return rows.map(({ table_name: table, ...row }) => {
    if (!isUndoable(table)) throw new Error(`changes of ${table} cannot be undone by this version`)
    const { user_id: userId, act_id: actId, import_id: importId, work_id: workId, row_id: rowId } = row
    const [before, after]: (RowColumns | null)[] = [row.before, row.after].map((text) =>
      JSON.parse(text ?? 'null'),
    )
    const which = { id: row.id, userId, actId, importId, workId, table, rowId, lastId: row.last_id }
    return {
      ...which,
      before: before ?? null,
      after: after ?? null,
      fallen: row.fallen,
      isAside: row.is_aside === 1,
    }
  })
}

interface ChangeCells {
  readonly id: number
  readonly user_id: number
  readonly act_id: number | null
  readonly import_id: number | null
  readonly work_id: number
  readonly table_name: string
  readonly row_id: number
  readonly last_id: number
  readonly before: string | null
  readonly after: string | null
  readonly fallen: string | null
  readonly is_aside: number
}
