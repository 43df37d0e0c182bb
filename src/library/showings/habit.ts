import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import { instantOf, wallClock } from '../../lib/local-time'
import { weekdayOfDay } from './own-slot'

/** When somebody watches a work, by three records in a row: a day rather than a time (D80). */
export interface Habit {
  /** 0 is Sunday; nights belong to the evening before. */
  readonly weekday: number
  /** Since the evening's midnight, up to 29:00. */
  readonly minute: number
  /** The next one: epoch milliseconds. */
  readonly at: number
}

interface HabitContext {
  readonly user: number
  readonly now: number
  readonly timeZone: string
}

/** By work, of those that have one. */
export async function habitsOf(
  read: Read,
  works: readonly number[],
  { user, now, timeZone }: HabitContext,
): Promise<ReadonlyMap<number, Habit>> {
  if (works.length === 0) return new Map()
  const rows = await latestTimes(read, { user, works: JSON.stringify(works), from: now - longestPause })
  return new Map(
    rows.flatMap(({ work_id, times }) => {
      const habit = habitIn(JSON.parse(times), { now, timeZone })
      return habit === undefined ? [] : [[work_id, habit] as const]
    }),
  )
}

/** Uses records_user_work. */
const latestTimes = preparedSql<
  { work_id: number; times: string },
  { user: number; works: string; from: number }
>(
  (slot) => sql`
    select value as work_id, (
      select json_group_array(watched_at) from (
        select watched_at from records
        where user_id = ${slot('user')} and work_id = value and watched_at_precision = 'time'
          and watched_at > ${slot('from')}
        order by watched_at desc limit 3)) as times
    from json_each(${slot('works')})`,
)

const hour = 3_600_000
const day = 24 * hour
/** Three records take up to 16 days; a habit is forgotten four weeks after the last one. */
const longestPause = 45 * day
const forgottenAfter = 28 * day

/** `times`: of the last three records, latest first, in epoch milliseconds. */
export function habitIn(
  times: readonly number[],
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): Habit | undefined {
  const [latest, middle, first] = times.map((at) => wallClock(at, timeZone))
  if (latest === undefined || middle === undefined || first === undefined) return undefined
  if ((times[0] ?? 0) < now - forgottenAfter) return undefined
  if (!isAWeek(latest - middle) || !isAWeek(middle - first)) return undefined
  const offsets = [middle, first].map((wall) => sinceHourOf(wall, latest))
  if (offsets.some((offset) => Math.abs(offset) > hour)) return undefined
  // The hour that is nearest to all three; before 6:00 it is the end of the evening before.
  const usual = latest + (offsets[0] ?? 0) / 3 + (offsets[1] ?? 0) / 3
  const evening = eveningOf(usual)
  const minute = Math.min(29, Math.round((usual - evening * day) / hour)) * 60
  const today = eveningOf(wallClock(now, timeZone))
  const weeks = Math.max(1, Math.ceil((today - evening) / 7))
  const at = instantOf((evening + 7 * weeks) * day + minute * 60_000, timeZone)
  return { weekday: weekdayOfDay(evening), minute, at }
}

/** Days since 1970-01-01; nights belong to the evening before. */
const eveningOf = (wall: number) => Math.floor((wall - 6 * hour) / day)

/** 6 to 8 days. */
const isAWeek = (distance: number) => distance >= 6 * day && distance <= 8 * day

/** How much later in its day one is than the other, from -12 to 12 hours. */
const sinceHourOf = (wall: number, other: number) => {
  const offset = (((wall - other) % day) + day) % day
  return offset > day / 2 ? offset - day : offset
}
