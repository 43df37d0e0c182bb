export const hour = 3_600_000
export const day = 24 * hour
export const week = 7 * day

/** Epoch milliseconds; null if it is not a valid ISO 8601 time. */
export function instant(text: string): number | null {
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}

export const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Whether it is a day that exists, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? instant(text) : null
  return time !== null && dateOf(time) === text
}

/** bangumi-data writes days without an hour as 16:00 UTC, which is midnight in China. */
export const isDayOnly = (begin: string) => begin.endsWith('T16:00:00.000Z')
