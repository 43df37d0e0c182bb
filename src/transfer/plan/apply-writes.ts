import type { Tx } from '../../db/write'
import { addEpisodes } from '../../library/next-episode'
import type { ChangeSink } from './change-sink'
import { statusRow } from './here-after'
import type { ImportedReview, ImportedStatus, NewImportedRecord, Writes } from './planned-row'
import type { AppliedPart } from './row-to-plan'
import {
  insertLap,
  insertRecords,
  insertReview,
  reviewRow,
  setReview,
  setStatus,
  statusOf,
} from './statements'

interface ToApply {
  readonly userId: number
  readonly writes: Writes
  /** Episodes, laps and records that one transaction may write. */
  readonly limit: number
  readonly now: number
}

/**
 * Writes what a row adds, in its order, without activities and notifications. Records come before the status and the
 * reviews, so that a row of which a part is written is planned as the rest of it.
 */
export async function applyWrites(
  tx: Tx,
  { userId, writes, limit, now }: ToApply,
  log: ChangeSink,
): Promise<AppliedPart> {
  const { workId } = writes
  const lacking = Math.max(0, (writes.growsTo ?? 0) - writes.episodes.length)
  const grown = await grow(tx, workId, Math.min(lacking, limit), log)
  const laps = writes.laps.slice(0, limit - grown.length)
  for (const { number, startedAt } of laps) {
    const [lap] = await insertLap(tx, { user: userId, work: workId, number, started: startedAt })
    if (lap !== undefined) log.inserted('laps', workId, lap.id, lap.id)
  }
  const records = writes.records.slice(0, limit - grown.length - laps.length)
  const episodes = [...writes.episodes, ...grown]
  await addRecords(tx, { userId, workId, records, episodes }, log)
  const rows = grown.length + laps.length + records.length
  const left = lacking + writes.laps.length + writes.records.length - rows
  if (left > 0) return { rows, isDone: false }
  if (writes.status !== null) await giveStatus(tx, { userId, workId, status: writes.status }, log)
  for (const review of writes.reviews) await writeReview(tx, { userId, workId, review, now }, log)
  return { rows, isDone: true }
}

async function grow(tx: Tx, workId: number, count: number, log: ChangeSink): Promise<readonly number[]> {
  if (count === 0) return []
  const ids = await addEpisodes(tx, workId, count)
  logRange(log, 'episodes', workId, ids)
  return ids
}

interface NewRecords {
  readonly userId: number
  readonly workId: number
  readonly records: readonly NewImportedRecord[]
  readonly episodes: readonly number[]
}

async function addRecords(
  tx: Tx,
  { userId, workId, records, episodes }: NewRecords,
  log: ChangeSink,
): Promise<void> {
  if (records.length === 0) return
  const cells = records.map((record) => [
    ...[episodes[record.index], record.lap, record.watchedAt, record.precision, record.createdAt],
    ...[record.ratingState, record.comment, record.isModified ? 1 : 0, record.points],
  ])
  const made = await insertRecords(tx, { user: userId, work: workId, records: JSON.stringify(cells) })
  logRange(
    log,
    'records',
    workId,
    made.map(({ id }) => id),
  )
}

/** Ids that were given in one statement follow each other. */
function logRange(
  log: ChangeSink,
  table: 'episodes' | 'records',
  workId: number,
  ids: readonly number[],
): void {
  const [first, last] = [ids[0], ids.at(-1)]
  if (first !== undefined && last !== undefined) log.inserted(table, workId, first, last)
}

async function giveStatus(
  tx: Tx,
  { userId, workId, status }: { userId: number; workId: number; status: ImportedStatus },
  log: ChangeSink,
): Promise<void> {
  const [before = null] = await statusOf(tx, { user: userId, work: workId })
  const after = statusRow(status)
  await setStatus(tx, { user: userId, work: workId, ...after })
  log.statusChanged(workId, before, after)
}

async function writeReview(
  tx: Tx,
  { userId, workId, review, now }: { userId: number; workId: number; review: ImportedReview; now: number },
  log: ChangeSink,
): Promise<void> {
  const { body, ratingState: rating, watchedAt, precision, own } = review
  const columns = { user: userId, body, rating, watched: watchedAt, precision, modified: now }
  if (review.id === null) {
    const { animation = null, music = null, story = null, character = null } = own?.ratings ?? {}
    const [made] = await insertReview(tx, {
      ...{ ...columns, work: workId, animation, music, story, character },
      ...{ created: own?.createdAt ?? now, modified: own?.modifiedAt ?? null },
    })
    if (made !== undefined) log.inserted('reviews', workId, made.id, made.id)
    return
  }
  const [before] = await reviewRow(tx, { id: review.id })
  await setReview(tx, { ...columns, id: review.id })
  const [after] = await reviewRow(tx, { id: review.id })
  if (before !== undefined && after !== undefined) log.reviewChanged(workId, review.id, before, after)
}
