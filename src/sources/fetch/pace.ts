import type { Tx, Write } from '../../db/write'
import type { Outside } from '../../fetching/outside'
import type { Pace } from '../source'

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

/** At most `max` in any window of `windowMs`, wherever it begins. */
interface Rate {
  readonly max: number
  readonly windowMs: number
}

/** A token bucket: how many tokens are taken, and since when the next one is being refilled, in epoch milliseconds. */
interface Bucket {
  readonly taken: number
  readonly since: number
}

/** A quarter of the rate is available at once and the rest is refilled evenly, so that no window exceeds `max`. */
const sizeOf = ({ max }: Rate) => Math.max(1, Math.floor(max / 4))

const msPerToken = (rate: Rate) => Math.ceil(rate.windowMs / (rate.max - sizeOf(rate) + 1))

/** The bucket with the tokens refilled until `now`. A time in the future means that the clock was set back. */
export function refilled({ taken, since }: Bucket, rate: Rate, now: number): Bucket {
  const from = Math.min(since, now)
  const back = Math.floor((now - from) / msPerToken(rate))
  return back >= taken
    ? { taken: 0, since: now }
    : { taken: taken - back, since: from + back * msPerToken(rate) }
}

/** Milliseconds until a token can be taken from a bucket that was just refilled; 0 if one is available. */
export const waitFor = ({ taken, since }: Bucket, rate: Rate, now: number): number =>
  taken < sizeOf(rate) ? 0 : since + msPerToken(rate) - now

const hourly = ({ perHour }: Pace) =>
  perHour === undefined ? undefined : { max: perHour, windowMs: 3_600_000 }

const daily = ({ perDay }: Pace) => (perDay === undefined ? undefined : { max: perDay, windowMs: 86_400_000 })
