/** Start of broadcast k (from 0) in epoch ms; `interval`: ISO 8601, `P0D` for all at once. Undefined if unknown. */
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
