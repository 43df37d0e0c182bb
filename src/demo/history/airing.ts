import { occurrence } from '../../catalogue/estimate/interval'

/** What a work says about when it is shown, as the database has it. */
export interface Dates {
  readonly season_year: number | null
  readonly season: string | null
  readonly released_on: string
  readonly broadcast_begin: number | null
  readonly broadcast_interval: string
}

/** When each episode was first shown, in epoch milliseconds: as its programs say, else at an interval from the start. */
export function airingTimes(work: Dates, programs: readonly (number | null)[]): number[] {
  const begin = beginOf(work)
  const interval = work.broadcast_interval || 'P7D'
  let last = Number.NEGATIVE_INFINITY
  return programs.map((program, k) => {
    last = Math.max(last, program ?? occurrence(begin, interval, k) ?? begin + k * week)
    return last
  })
}

function beginOf({ broadcast_begin, released_on, season_year, season }: Dates): number {
  if (broadcast_begin !== null) return broadcast_begin
  const released = Date.parse(`${released_on}T15:00:00Z`)
  if (!Number.isNaN(released)) return released
  // Midnight in Japan on the first Saturday or so; what nobody knows the year of is old.
  return Date.UTC(season_year ?? 1980, firstMonths.get(season ?? '') ?? 0, 5, 15)
}

const firstMonths = new Map([
  ['winter', 0],
  ['spring', 3],
  ['summer', 6],
  ['autumn', 9],
])

const week = 7 * 24 * 60 * 60 * 1000
