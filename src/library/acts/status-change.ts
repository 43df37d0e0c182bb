import type { Tx } from '../../db/write'
import { flagColumn } from '../flags'
import { giveStatus, type StatusDates, type StatusKind } from '../statuses'
import type { ChangeLog } from '../undo/change-log'
import { StatusChangedSince } from './act'
import type { OpenAct } from './write-act'

interface StatusToSet {
  readonly work_id: number
  readonly kind: StatusKind
  readonly dates?: StatusDates
  /** Undefined keeps its mark; a new one gets what its user prefers (D72). */
  readonly isPrivate?: boolean | undefined
}

/** Sets the status, with an activity, unless the work already has it. Throws `StatusChangedSince`. */
export async function logStatus(
  act: OpenAct,
  log: ChangeLog,
  { work_id, kind, dates, isPrivate }: StatusToSet,
): Promise<void> {
  const { tx, userId: user_id, now } = act
  if (await isStatusNewer(act, work_id)) throw new StatusChangedSince()
  await log.changedStatus(work_id, async () => {
    const mark = flagColumn(isPrivate) ?? null
    const activity = await giveStatus(tx, { user_id, work_id, kind, now, private: mark, ...dates })
    if (activity !== undefined) await log.inserted('activities', work_id, activity)
  })
}

/** Undefined for none. */
export async function statusOf(tx: Tx, user_id: number, work_id: number): Promise<string | undefined> {
  const status = await tx
    .selectFrom('statuses')
    .select('kind')
    .where('user_id', '=', user_id)
    .where('work_id', '=', work_id)
    .executeTakeFirst()
  return status?.kind
}

/** What an act wrote, and whether only its user sees it; undefined as they prefer. */
export interface MarkedEntry {
  readonly isPrivate?: boolean | undefined
}

/** The status that follows from an entry that only its user sees tells nobody of it either; otherwise it keeps its mark. */
export const markBy = ({ isPrivate }: MarkedEntry): MarkedEntry => (isPrivate ? { isPrivate } : {})

/** As a consequence of an act: a status that was changed after it stays. */
export async function followWithStatus(act: OpenAct, change: StatusToSet): Promise<void> {
  if (!(await isStatusNewer(act, change.work_id))) await logStatus(act, act.aside, change)
}

/** Whether the status was changed after a press that was sent late (D108). */
export async function isStatusNewer({ tx, userId, now, isLate }: OpenAct, work_id: number): Promise<boolean> {
  if (!isLate) return false
  const status = await tx
    .selectFrom('statuses')
    .select('changed_at')
    .where('user_id', '=', userId)
    .where('work_id', '=', work_id)
    .executeTakeFirst()
  return status !== undefined && status.changed_at > now
}
