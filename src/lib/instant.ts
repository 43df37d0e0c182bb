/** A moment of ISO 8601 with its zone, in epoch milliseconds; undefined where it is not one or its date is impossible. */
export function instantOf(text: string): number | undefined {
  const match =
    /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.exec(text)
  const instant = match === null ? Number.NaN : Date.parse(text)
  if (Number.isNaN(instant) || !isRealDate(match?.[1] ?? '')) return undefined
  return instant
}

/** A moment as `YYYY/MM/DD HH:MM` in UTC, as a date alone (midnight UTC), or as ISO 8601 with its zone. */
export function momentOf(text: string): number | undefined {
  const match = /^(\d{4})([/-])(\d{2})\2(\d{2})(?: (\d{2}):(\d{2}))?$/.exec(text)
  if (match === null) return instantOf(text)
  const [, year, separator, month, day, hour = '00', minute = '00'] = match
  if (separator === '-' && match[5] !== undefined) return undefined
  return instantOf(`${year}-${month}-${day}T${hour}:${minute}Z`)
}

/** Whether a `YYYY-MM-DD` is a day of the calendar: `Date` alone would take 31 April for 1 May. */
export function isRealDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
