import type { Tx } from '../../db/write'
import { giveStatus, type StatusDates, type StatusKind } from '../statuses'
import type { ChangeLog } from './change-log'
import type { OpenAct } from './write-act'

interface Change {
  readonly work_id: number
  readonly kind: StatusKind
  readonly dates?: StatusDates
}

/** Sets the status, with an activity, unless the work already has it. */
export async function logStatus(
  { tx, userId: user_id, now }: OpenAct,
  log: ChangeLog,
  { work_id, kind, dates }: Change,
): Promise<void> {
  const activity = await log.changed('statuses', [user_id, work_id], () =>
    giveStatus(tx, { user_id, work_id, kind, now, ...dates }),
  )
  if (activity !== undefined) await log.inserted('activities', activity)
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
