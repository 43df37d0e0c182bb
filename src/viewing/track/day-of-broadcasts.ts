import { instantOf, localTime } from '../../lib/local-time'

const hour = 3_600_000
const day = 24 * hour

/**
 * From 5 in the morning to 5 the next morning in the zone, in epoch milliseconds: nights belong to the evening before.
 */
export function dayOfBroadcasts(now: number, timeZone: string): { from: number; until: number } {
  const { year, month, day: date } = localTime(now - 5 * hour, timeZone)
  const wall = Date.UTC(year, month - 1, date, 5)
  return { from: instantOf(wall, timeZone), until: instantOf(wall + day, timeZone) }
}

/** Seven days from the beginning of today. */
export const weekOfBroadcasts = (now: number, timeZone: string): { from: number; until: number } => {
  const { from } = dayOfBroadcasts(now, timeZone)
  return { from, until: from + 7 * day }
}
