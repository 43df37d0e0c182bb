import type { Tx, Write } from '../../db/write'
import type { Outside } from '../../fetching/outside'
import type { Pace } from '../source'
import { type Bucket, type Rate, refilled, waitFor } from './bucket'

export interface PaceTools {
  readonly write: Write
  now(): number
  readonly outside: Pick<Outside, 'sleep'>
}

/**
 * Resolves when this process may contact the host, among all that share the database. Never reserves a turn in the
 * future, so that a process that ends leaves no gap, and a clock set back costs at most one interval.
 */
export async function waitForTurn(tools: PaceTools, host: string, pace: Pace, signal: AbortSignal) {
  for (;;) {
    const waitMs = await tools.write((tx) => takeTurn(tx, host, pace, tools.now()))
    if (waitMs === 0) return
    await tools.outside.sleep(waitMs, signal)
  }
}

/** Milliseconds until the next try; 0 if the turn was taken. Also corrects times left by a clock that was set back. */
async function takeTurn(tx: Tx, host: string, pace: Pace, now: number): Promise<number> {
  const kept = await tx
    .selectFrom('source_hosts')
    .select(['free_at', 'hour_began_at', 'in_hour', 'day_began_at', 'in_day'])
    .where('host', '=', host)
    .executeTakeFirst()
  const intervalMs = Math.ceil(1000 / pace.perSecond)
  const freeAt = Math.min(kept?.free_at ?? now, now + intervalMs)
  const hour = lastOf({ taken: kept?.in_hour ?? 0, since: kept?.hour_began_at ?? now }, hourly(pace), now)
  const day = lastOf({ taken: kept?.in_day ?? 0, since: kept?.day_began_at ?? now }, daily(pace), now)
  const waitMs = Math.max(freeAt - now, hour.waitMs, day.waitMs, 0)
  const taken = waitMs === 0 ? 1 : 0
  const row = {
    free_at: taken === 1 ? now + intervalMs : freeAt,
    hour_began_at: hour.since,
    in_hour: hour.taken + hour.costs * taken,
    day_began_at: day.since,
    in_day: day.taken + day.costs * taken,
  }
  await tx
    .insertInto('source_hosts')
    .values({ host, ...row })
    .onConflict((conflict) => conflict.column('host').doUpdateSet(row))
    .execute()
  return waitMs
}

/** Without a rate, leaves the bucket to another source of the same host. */
function lastOf(kept: Bucket, rate: Rate | undefined, now: number) {
  if (rate === undefined) return { ...kept, costs: 0, waitMs: 0 }
  const bucket = refilled(kept, rate, now)
  return { ...bucket, costs: 1, waitMs: waitFor(bucket, rate, now) }
}

const hourly = ({ perHour }: Pace) =>
  perHour === undefined ? undefined : { max: perHour, windowMs: 3_600_000 }

const daily = ({ perDay }: Pace) => (perDay === undefined ? undefined : { max: perDay, windowMs: 86_400_000 })
