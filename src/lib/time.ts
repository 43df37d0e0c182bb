/** `YYYY-MM-DDTHH:MM:SS.mmmZ` (D4), from epoch milliseconds. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

type WithIsoTimes<Row> = {
  [Name in keyof Row]: Name extends `${string}_at` ? Exclude<Row[Name], number> | string : Row[Name]
}

/** Converts the numbers named `…_at` from epoch milliseconds to ISO 8601. */
export const withTimes = <Row extends object>(row: Row): WithIsoTimes<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, timeAs(name, value)]),
  ) as WithIsoTimes<Row>

const timeAs = (name: string, value: unknown): unknown =>
  name.endsWith('_at') && typeof value === 'number' ? isoTime(value) : value

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
