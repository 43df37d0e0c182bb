/** Epoch milliseconds of the next `HH:MM` local time after `now`; Infinity for undefined. */
export function nextTimeOfDay(time: string | undefined, now: number): number {
  if (time === undefined) return Number.POSITIVE_INFINITY
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const next = new Date(now)
  next.setHours(hours, minutes, 0, 0)
  // By the calendar: a day may have 23 or 25 hours.
  if (next.getTime() <= now) next.setDate(next.getDate() + 1)
  return next.getTime()
}
