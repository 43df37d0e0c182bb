import type { Tx } from '../../db/write'
import type { ChangeSink } from './change-sink'
import { reviewColumns } from './here-after'
import { insertRows, shareCells } from './insert-rows'
import type { ImportedReview, Writes } from './planned-row'
import type { AppliedPart } from './row-to-plan'
import {
  hasEntry,
  insertReview,
  noteOf,
  reviewRow,
  setNote,
  setReview,
  setStatus,
  statusOf,
} from './statements'

interface ToApply {
  readonly userId: number
  readonly writes: Writes
  /** Episodes, laps, records and skips that one transaction may write. */
  readonly limit: number
  readonly now: number
}

/**
 * Writes what a row adds, in order, without activities and notifications. Records come before the status and the
 * reviews, so that a partly written row is planned as its remainder.
 */
export async function applyWrites(
  tx: Tx,
  { userId, writes, limit, now }: ToApply,
  log: ChangeSink,
): Promise<AppliedPart> {
  const { workId, status, note } = writes
  const own = { user: userId, work: workId }
  const { rows, left } = await insertRows(tx, { userId, writes, limit }, log)
  if (left > 0) return { rows, isDone: false }
  if (status !== null) {
    const [before = (await hasEntry(tx, own)).length > 0 ? null : 'none'] = await statusOf(tx, own)
    await setStatus(tx, { ...own, ...status })
    log.statusChanged(workId, before, status)
  }
  for (const review of writes.reviews) await writeReview(tx, { userId, workId, review, now }, log)
  if (note !== null) {
    const [before = null] = await noteOf(tx, own)
    await setNote(tx, { ...own, ...note })
    log.noteChanged(workId, before, note)
  }
  return { rows, isDone: true }
}

async function writeReview(
  tx: Tx,
  { userId, workId, review, now }: { userId: number; workId: number; review: ImportedReview; now: number },
  log: ChangeSink,
): Promise<void> {
  const { id, own } = review
  const columns = { ...reviewColumns(review), user: userId, modified_at: now }
  if (id === null) {
    const { animation = null, music = null, story = null, character = null } = own?.ratings ?? {}
    const [twitter = 0, facebook = 0] = shareCells(own?.shares)
    const [made] = await insertReview(tx, {
      ...columns,
      work: workId,
      animation,
      music,
      story,
      character,
      twitter,
      facebook,
      created: own?.createdAt ?? now,
      modified_at: own?.modifiedAt ?? null,
    })
    if (made !== undefined) log.inserted('reviews', workId, made.id, made.id)
    return
  }
  const [before] = await reviewRow(tx, { user: userId, id })
  await setReview(tx, { ...columns, id })
  const [after] = await reviewRow(tx, { user: userId, id })
  if (before !== undefined && after !== undefined) log.reviewChanged(workId, id, before, after)
}
