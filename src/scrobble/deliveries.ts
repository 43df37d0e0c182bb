import { sql } from 'kysely'
import { preparedSql } from '../db/prepared'
import type { Tx, Write } from '../db/write'
import type { PlaceRule, UnplacedReason } from '../transfer/match/placed-play'
import type { ProposedWork } from './decide'
import type { IgnoredReason, PlayerReport } from './report'

/** What was done with a report. */
export interface DeliveryResult {
  /** Null if it is not kept. */
  readonly id: number | null
  readonly isDry: boolean
  readonly result: 'recorded' | 'duplicate' | 'rated' | 'ignored' | 'unmatched'
  readonly reason: IgnoredReason | UnplacedReason | null
  readonly rule: PlaceRule | null
  readonly workId: number | null
  /** The first of `episodes`. */
  readonly episode: number | null
  readonly episodes: readonly number[]
  readonly recordIds: readonly number[]
  readonly proposals: readonly ProposedWork[]
}

export interface DeliveryOutcome extends Omit<DeliveryResult, 'id' | 'isDry'> {
  readonly actId: number | null
}

/** How long deliveries are kept, in milliseconds, and how many for a user. */
export const deliveriesMs = 30 * 86_400_000
const mostDeliveries = 10_000

/** Of the newest ones, what was sent is kept too, unless it is longer. */
const mostBodies = 100
const longestBody = 16 * 1024

export interface DeliveryToSave {
  /** Of one that was decided again. */
  readonly id: number | undefined
  readonly userId: number
  readonly hookId: number | null
  readonly receivedAt: number
  readonly body: string | null
  readonly report: Pick<PlayerReport, 'user' | 'plays' | 'rating'>
  readonly seriesKey: string | null
  readonly isDry: boolean
  readonly outcome: DeliveryOutcome
}

/** Returns its id. Forgets what is too old or too much. */
export async function saveDelivery(tx: Tx, delivery: DeliveryToSave): Promise<number> {
  const { id, userId, hookId, receivedAt, body, outcome } = delivery
  const { result, reason, rule, workId, episode, recordIds, proposals, actId } = outcome
  const columns = {
    ...{ result, reason, rule, work_id: workId, episode, act_id: actId, dry_run: Number(delivery.isDry) },
    ...{ record_ids: JSON.stringify(recordIds), proposals: JSON.stringify(proposals) },
  }
  if (id !== undefined) {
    await tx.updateTable('deliveries').set(columns).where('id', '=', id).execute()
    return id
  }
  const made = await tx
    .insertInto('deliveries')
    .values({
      ...{ user_id: userId, hook_id: hookId, received_at: receivedAt, series_key: delivery.seriesKey },
      ...{ body: body !== null && body.length <= longestBody ? body : null },
      ...{ report: JSON.stringify(delivery.report), ...columns },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await forgetMore(tx, { user: userId, before: receivedAt - deliveriesMs })
  return made.id
}

/** Each delivery makes up for itself, and for a few from before. */
async function forgetMore(tx: Tx, values: { user: number; before: number }): Promise<void> {
  await dropBodies(tx, values)
  await dropOld(tx, values)
}

// uses deliveries_user
const dropBodies = preparedSql<never, { user: number; before: number }>(
  (slot) => sql`
    update deliveries set body = null where id in (
      select id from deliveries where user_id = ${slot('user')} order by id desc limit 3 offset ${sql.lit(mostBodies)})
      and body is not null`,
)

const dropOld = preparedSql<never, { user: number; before: number }>(
  (slot) => sql`
    delete from deliveries where id in (
      select id from (
        select id, received_at from deliveries where user_id = ${slot('user')} order by id limit 10)
      where received_at < ${slot('before')}
      union all
      select id from (
        select id from deliveries where user_id = ${slot('user')} order by id desc limit 10 offset ${sql.lit(mostDeliveries)}))`,
)

/** Deletes what is older than 30 days, for users whose players are silent. In short writes. */
export async function sweepDeliveries({ write, now }: { write: Write; now(): number }): Promise<void> {
  const before = now() - deliveriesMs
  for (let deleted = mostAtOnce; deleted === mostAtOnce; ) {
    const rows = await write((tx) => dropExpired(tx, { before }))
    deleted = rows.length
  }
}

const mostAtOnce = 500

const dropExpired = preparedSql<{ id: number }, { before: number }>(
  (slot) => sql`
    delete from deliveries where id in (
      select id from deliveries where received_at < ${slot('before')} limit ${sql.lit(mostAtOnce)})
    returning id`,
)
