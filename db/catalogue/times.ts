export const hour = 3_600_000
export const day = 24 * hour
export const week = 7 * day

/** Epoch milliseconds; null for no valid ISO 8601 time. */
export function instant(text: string): number | null {
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}

export const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** `YYYY-MM-DD` of an existing day. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? instant(text) : null
  return time !== null && dateOf(time) === text
}

/** bangumi-data writes days without an hour as 16:00 UTC, midnight in China. */
export const isDayOnly = (begin: string) => begin.endsWith('T16:00:00.000Z')
