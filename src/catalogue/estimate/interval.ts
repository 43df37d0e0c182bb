/**
 * The start of the k-th broadcast, counted from 0, of a series that begins at `begin` (epoch milliseconds) and repeats
 * by an ISO 8601 duration such as `P7D`; `P0D` is all at once. Undefined where nothing says when the next one is.
 */
export function occurrence(begin: number, interval: string, k: number): number | undefined {
  if (k === 0) return begin
  const [matched, years, months, weeks, days] = form.exec(interval) ?? []
  if (matched === undefined || interval === '') return undefined
  const time = new Date(begin)
  const later = 12 * Number(years ?? 0) + Number(months ?? 0)
  time.setUTCMonth(time.getUTCMonth() + k * later)
  time.setUTCDate(time.getUTCDate() + k * (7 * Number(weeks ?? 0) + Number(days ?? 0)))
  return Number.isNaN(time.getTime()) ? undefined : time.getTime()
}

const form = /^P(?=\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/
