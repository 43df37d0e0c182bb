export const hour = 3_600_000
export const day = 24 * hour
export const week = 7 * day

/** Epoch milliseconds of an ISO 8601 time, or null when there is none or it is not one. */
export function instant(text: string): number | null {
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}

/** The UTC calendar day of an instant, `YYYY-MM-DD`. */
export const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** A day that exists, written `YYYY-MM-DD`: the 30th of February is none. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? instant(text) : null
  return time !== null && dateOf(time) === text
}

/** bangumi-data writes a day whose hour is not known as 16:00 UTC, midnight in China. */
export const isDayOnly = (begin: string) => begin.endsWith('T16:00:00.000Z')
