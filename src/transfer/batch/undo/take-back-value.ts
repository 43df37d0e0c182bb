import { findSurvivor } from '../../../catalogue/survivors'
import type { Tx } from '../../../db/write'
import type { NoteRow, ReviewRow, StatusRow } from '../../plan/change-sink'
import { forgetLeft, linkLater } from './later-change'
import { forget, leave, type UndoneChange } from './undo-tools'

interface OwnOfWork {
  readonly userId: number
  readonly work: number
}

/** Puts a status back to what it was, unless it was set again since. */
export const takeBackStatus = (tx: Tx, change: UndoneChange): Promise<void> =>
  takeBackOfWork<StatusRow>(tx, change, { find: findStatus, write: writeStatus })

/** The same for a note. */
export const takeBackNote = (tx: Tx, change: UndoneChange): Promise<void> =>
  takeBackOfWork<NoteRow>(tx, change, { find: findNote, write: writeNote })

interface ValueOfWork<R> {
  find(tx: Tx, own: OwnOfWork): Promise<object | undefined>
  write(tx: Tx, own: OwnOfWork, row: R | null): Promise<void>
}

async function takeBackOfWork<R>(
  tx: Tx,
  change: UndoneChange,
  { find, write }: ValueOfWork<R>,
): Promise<void> {
  const work = (await findSurvivor(tx, 'works', change.row_id))?.id ?? change.row_id
  const own = { userId: change.userId, work }
  const present = await find(tx, own)
  const place = { ...change, ids: [change.row_id, work] }
  const after: R = JSON.parse(change.after ?? 'null')
  if (present === undefined || !Bun.deepEquals(present, after)) {
    await linkLater(tx, place, (value) => Bun.deepEquals(JSON.parse(value), after))
    return await leave(tx, change, 'changed')
  }
  await write(tx, own, JSON.parse(change.before ?? 'null'))
  await forgetLeft(tx, place)
  await forget(tx, change)
}

const findStatus = (tx: Tx, { userId, work }: OwnOfWork) =>
  tx
    .selectFrom('statuses')
    .select(['kind', 'changed_at', 'started_on', 'finished_on', 'rewatches'])
    .where('user_id', '=', userId)
    .where('work_id', '=', work)
    .executeTakeFirst()

const findNote = (tx: Tx, { userId, work }: OwnOfWork) =>
  tx
    .selectFrom('notes')
    .select(['text', 'updated_at'])
    .where('user_id', '=', userId)
    .where('work_id', '=', work)
    .executeTakeFirst()

async function writeStatus(tx: Tx, { userId, work }: OwnOfWork, row: StatusRow | null): Promise<void> {
  const own = { user_id: userId, work_id: work }
  if (row === null) {
    await tx.deleteFrom('statuses').where('user_id', '=', userId).where('work_id', '=', work).execute()
    return
  }
  const { kind, changed_at, started_on, finished_on, rewatches } = row
  const columns = { kind, changed_at, started_on, finished_on, rewatches }
  await tx
    .insertInto('statuses')
    .values({ ...own, ...columns })
    .onConflict((conflict) => conflict.columns(['user_id', 'work_id']).doUpdateSet(columns))
    .execute()
}

async function writeNote(tx: Tx, { userId, work }: OwnOfWork, row: NoteRow | null): Promise<void> {
  if (row === null) {
    await tx.deleteFrom('notes').where('user_id', '=', userId).where('work_id', '=', work).execute()
    return
  }
  await tx
    .insertInto('notes')
    .values({ user_id: userId, work_id: work, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'work_id']).doUpdateSet(row))
    .execute()
}

/** Puts back what a review said, unless it was edited or liked since. */
export async function takeBackReview(tx: Tx, change: UndoneChange): Promise<void> {
  const present = await findReview(tx, change)
  if (present === undefined) return await forget(tx, change)
  const place = { ...change, ids: [change.row_id] }
  const after: ReviewRow = JSON.parse(change.after ?? 'null')
  if (!isSameReview(present, after)) {
    await linkLater(tx, place, (value) => isSameReview(JSON.parse(value), after))
    return await leave(tx, change, 'changed')
  }
  if (await isLikedSince(tx, change.row_id, after.modified_at ?? 0)) return await leave(tx, change, 'used')
  await writeReview(tx, change.row_id, JSON.parse(change.before ?? 'null'))
  await forgetLeft(tx, place)
  await forget(tx, change)
}

const findReview = (tx: Tx, { row_id, userId }: UndoneChange) =>
  tx
    .selectFrom('reviews')
    .select(['body', 'rating_overall_state', 'watched_at', 'watched_at_precision', 'modified_at'])
    .select('version')
    .where('id', '=', row_id)
    .where('user_id', '=', userId)
    .executeTakeFirst()

async function isLikedSince(tx: Tx, id: number, since: number): Promise<boolean> {
  const like = await tx
    .selectFrom('likes') // uses likes_review
    .select('id')
    .where('review_id', '=', id)
    .where('created_at', '>=', since)
    .executeTakeFirst()
  return like !== undefined
}

/** The version also rises when a work is merged, and with an undo. */
function isSameReview(one: object, other: ReviewRow): boolean {
  return Bun.deepEquals({ ...one, version: 0 }, { ...other, version: 0 })
}

async function writeReview(tx: Tx, id: number, row: ReviewRow | null): Promise<void> {
  if (row === null) {
    await tx.deleteFrom('reviews').where('id', '=', id).execute()
    return
  }
  const { version: _, ...columns } = row
  await tx.updateTable('reviews').set(columns).where('id', '=', id).execute()
}
