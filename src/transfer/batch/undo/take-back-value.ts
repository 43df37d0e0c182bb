import { findSurvivor } from '../../../catalogue/survivors'
import type { Tx } from '../../../db/write'
import type { NoteRow, ReviewRow, StatusRow } from '../../plan/change-sink'
import { noteOf, type Own, reviewRow, setNote, setReview, setStatus, statusOf } from '../../plan/statements'
import { neverSet } from '../change-log'
import { forgetLeft, linkLater } from './later-change'
import { forget, leave, type UndoneChange } from './undo-tools'

/** Restores a status, unless it was set again since. */
export const takeBackStatus = (tx: Tx, change: UndoneChange): Promise<void> =>
  takeBackOfWork<StatusRow>(tx, change, { table: 'statuses', find: statusOf, set: setStatus })

export const takeBackNote = (tx: Tx, change: UndoneChange): Promise<void> =>
  takeBackOfWork<NoteRow>(tx, change, { table: 'notes', find: noteOf, set: setNote })

interface ValueOfWork<R> {
  readonly table: 'statuses' | 'notes'
  find(tx: Tx, own: Own): Promise<readonly R[]>
  set(tx: Tx, row: Own & R): Promise<unknown>
}

async function takeBackOfWork<R>(
  tx: Tx,
  change: UndoneChange,
  { table, find, set }: ValueOfWork<R>,
): Promise<void> {
  const work = (await findSurvivor(tx, 'works', change.row_id))?.id ?? change.row_id
  const own = { user: change.userId, work }
  const [present] = await find(tx, own)
  const place = { ...change, ids: [change.row_id, work] }
  const after: R = JSON.parse(change.after ?? 'null')
  if (present === undefined || !Bun.deepEquals(present, after)) {
    await linkLater(tx, place, (value) => Bun.deepEquals(JSON.parse(value), after))
    return await leave(tx, change, 'changed')
  }
  const before: R | null = JSON.parse(change.before ?? 'null')
  if (before !== null) await set(tx, { ...own, ...before })
  else await tx.deleteFrom(table).where('user_id', '=', own.user).where('work_id', '=', work).execute()
  if (table === 'statuses' && change.before === neverSet)
    await tx
      .deleteFrom('library_entries')
      .where('user_id', '=', own.user)
      .where('work_id', '=', work)
      .execute()
  await forgetLeft(tx, place)
  await forget(tx, change)
}

/** Restores what a review said, unless it was edited or liked since. */
export async function takeBackReview(tx: Tx, change: UndoneChange): Promise<void> {
  const review = { id: change.row_id, user: change.userId }
  const [present] = await reviewRow(tx, review)
  if (present === undefined) return await forget(tx, change)
  const place = { ...change, ids: [change.row_id] }
  const after: ReviewRow = JSON.parse(change.after ?? 'null')
  if (!isSameReview(present, after)) {
    await linkLater(tx, place, (value) => isSameReview(JSON.parse(value), after))
    return await leave(tx, change, 'changed')
  }
  if (await isLikedSince(tx, change.row_id, after.modified_at ?? 0)) return await leave(tx, change, 'used')
  const before: ReviewRow | null = JSON.parse(change.before ?? 'null')
  if (before === null) await tx.deleteFrom('reviews').where('id', '=', change.row_id).execute()
  else await setReview(tx, { ...review, ...before })
  await forgetLeft(tx, place)
  await forget(tx, change)
}

async function isLikedSince(tx: Tx, id: number, since: number): Promise<boolean> {
  const like = await tx
    .selectFrom('likes') // uses likes_review
    .select('id')
    .where('review_id', '=', id)
    .where('created_at', '>=', since)
    .executeTakeFirst()
  return like !== undefined
}

/** The version also increases when a work is merged and when something is undone. */
function isSameReview(one: object, other: ReviewRow): boolean {
  return Bun.deepEquals({ ...one, version: 0 }, { ...other, version: 0 })
}
