/** Columns of `works`, and `is_counted`. Times in epoch milliseconds. */
export interface BroadcastRule {
  readonly broadcast_begin: number | null
  readonly broadcast_end: number | null
  readonly broadcast_interval: string
  /** `YYYY-MM-DD`; blank if unknown. */
  readonly released_on: string
  readonly is_counted: number
}

/**
 * SQL, in a query of `works`: 1 if a source gives the number of episodes or lists them, unless a person says that the list
 * grows or is complete. Uses episodes_work_all.
 */
export const isCounted = `(works.episodes_estimate is not null or works.list_state = 'complete' or works.list_state = ''
  and exists (select 1 from episodes where episodes.work_id = works.id and episodes.estimated = 0))`

/**
 * SQL, in a query of `works`: 1 if further episodes may be added to the list (D62): no source lists the last one, or a person
 * says so. Uses episodes_work_place.
 */
export const isGrowing = `(case works.list_state when 'grows' then 1 when 'complete' then 0 else ifnull((
  select episodes.estimated from episodes where episodes.work_id = works.id
  order by episodes.sort_number desc, episodes.id desc limit 1), 1) end)`

/**
 * When the k-th episode (from 0) is broadcast. Undefined past the end, and where the rule does not say: beyond a season
 * of a series whose length nobody knows (D99), and in a later slot.
 */
export function broadcastAt(rule: BroadcastRule, k: number): number | undefined {
  const { broadcast_begin: begin, broadcast_end: end, broadcast_interval: interval, is_counted } = rule
  if (begin === null || isMoved(begin, rule.released_on)) return undefined
  if (is_counted !== 1 && k >= aSeason) return undefined
  const at = occurrence(begin, interval, k)
  // The last broadcast may be at another hour.
  return at !== undefined && at <= (end ?? Number.POSITIVE_INFINITY) + day ? at : undefined
}

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

/** Whether the broadcast began long after the first day: long-running series change slots. */
export const isMoved = (begin: number, releasedOn: string): boolean =>
  Date.parse(releasedOn) < begin - longestDelay

/** Weeks for which a broadcast is expected to go on without an end. */
export const aSeason = 13

export const day = 24 * 60 * 60 * 1000
const longestDelay = 56 * day
