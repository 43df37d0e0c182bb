import { instantOf, wallClock } from '../lib/local-time'

/** When nothing is sent, in minutes since midnight; null for never. */
export interface QuietTime {
  readonly timeZone: string
  readonly from: number | null
  readonly to: number | null
}

/** Of `users`. */
export interface QuietColumns {
  readonly time_zone: string | null
  readonly quiet_from: number | null
  readonly quiet_to: number | null
}

export const quietOf = ({ time_zone, quiet_from, quiet_to }: QuietColumns): QuietTime => ({
  ...{ timeZone: time_zone ?? 'UTC', from: quiet_from, to: quiet_to },
})

const day = 86_400_000
const minute = 60_000

/** The time itself, or the end of the quiet time that it falls into, by the wall clock of the zone. */
export function afterQuiet({ timeZone, from, to }: QuietTime, at: number): number {
  if (from === null || to === null || from === to) return at
  const wall = wallClock(at, timeZone)
  const midnight = Math.floor(wall / day) * day
  const now = (wall - midnight) / minute
  const isQuiet = from < to ? now >= from && now < to : now >= from || now < to
  if (!isQuiet) return at
  return instantOf(midnight + (now < to ? 0 : day) + to * minute, timeZone)
}
