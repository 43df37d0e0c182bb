import type { Tx } from '../../db/write'
import { flagColumn } from '../../library/flags'
import { addEpisodes } from '../../library/next-episode'
import type { ChangeLog } from '../../library/undo/change-log'
import type { OwnShares } from '../row'
import { reviewColumns } from './here-after'
import type { ImportedReview, NewImportedRecord, Writes } from './planned-row'
import type { AppliedPart } from './row-to-plan'
import {
  insertLap,
  insertRecords,
  insertReview,
  insertSkips,
  setNote,
  setReview,
  setStatus,
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
  log: ChangeLog,
): Promise<AppliedPart> {
  const { workId, status, note } = writes
  const own = { user: userId, work: workId }
  const { rows, left } = await insertRows(tx, { userId, writes, limit }, log)
  if (left > 0) return { rows, isDone: false }
  if (status !== null) {
    const mark = markOf(writes, writes.isStatusPrivate)
    await log.changedStatus(workId, () => setStatus(tx, { ...own, ...status, mark }))
  }
  for (const review of writes.reviews) {
    const mark = markOf(writes, review.own?.isPrivate)
    await writeReview(tx, { userId, workId, review, mark, now }, log)
  }
  if (note !== null) await log.changed('notes', workId, workId, () => setNote(tx, { ...own, ...note }))
  return { rows, isDone: true }
}

interface ToInsert {
  readonly userId: number
  readonly writes: Writes
  readonly limit: number
}

/** Inserts at most `limit` episodes, laps, records and skips, in this order. `left`: how many remain. */
async function insertRows(
  tx: Tx,
  { userId, writes, limit }: ToInsert,
  log: ChangeLog,
): Promise<{ readonly rows: number; readonly left: number }> {
  const { workId } = writes
  const own = { user: userId, work: workId }
  const lacking = Math.max(0, (writes.growsTo ?? 0) - writes.episodes.length)
  const growing = Math.min(lacking, limit)
  let room = limit - growing
  const next = <T>(rows: readonly T[]): readonly T[] => {
    const taken = rows.slice(0, room)
    room -= taken.length
    return taken
  }
  const grown = growing === 0 ? [] : await addEpisodes(tx, workId, growing)
  await log.inserted('episodes', workId, ...grown)
  const episodes = [...writes.episodes, ...grown]
  for (const { number, startedAt } of next(writes.laps))
    await log.inserted('laps', workId, ...idsOf(await insertLap(tx, { ...own, number, started: startedAt })))
  const records = next(writes.records).map((record) => [
    ...cellsOf(record, episodes),
    markOf(writes, record.isPrivate),
  ])
  const made =
    records.length === 0 ? [] : await insertRecords(tx, { ...own, records: JSON.stringify(records) })
  await log.inserted('records', workId, ...idsOf(made))
  const skips = next(writes.skips).map(({ index, lap, skippedAt }) => [episodes[index], lap, skippedAt])
  const skipped =
    skips.length === 0 ? [] : await insertSkips(tx, { user: userId, skips: JSON.stringify(skips) })
  await log.inserted('skips', workId, ...idsOf(skipped))
  const rows = limit - room
  return { rows, left: lacking + writes.laps.length + writes.records.length + writes.skips.length - rows }
}

/** `episodes` are ids. */
const cellsOf = (record: NewImportedRecord, episodes: readonly number[]) => [
  ...[episodes[record.index], record.lap, record.watchedAt, record.precision, record.createdAt],
  ...[record.ratingState, record.comment, record.isModified ? 1 : 0, record.points, record.score],
  ...shareCells(record.shares),
]

const shareCells = (shares: OwnShares | undefined) => [
  Number(shares?.twitter ?? 0),
  Number(shares?.facebook ?? 0),
]

/** Of a new row; null as its user prefers (D72). */
const markOf = (writes: Writes, isPrivate: boolean | undefined): number | null =>
  writes.isPrivate ? 1 : (flagColumn(isPrivate) ?? null)

const idsOf = (made: readonly { readonly id: number }[]) => made.map(({ id }) => id)

interface ReviewToWrite {
  readonly userId: number
  readonly workId: number
  readonly review: ImportedReview
  readonly mark: number | null
  readonly now: number
}

async function writeReview(
  tx: Tx,
  { userId, workId, review, mark, now }: ReviewToWrite,
  log: ChangeLog,
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
      mark,
      created: own?.createdAt ?? now,
      modified_at: own?.modifiedAt ?? null,
    })
    if (made !== undefined) await log.inserted('reviews', workId, made.id)
    return
  }
  await log.changed('reviews', workId, id, () => setReview(tx, { ...columns, id }))
}
