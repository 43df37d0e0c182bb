/** Times in epoch milliseconds. */
export interface Airing {
  readonly media: string
  readonly episodesEstimate: number | null
  readonly broadcastBegin: number | null
  readonly broadcastEnd: number | null
  readonly broadcastInterval: string
  /** The release day, or the first day of its season or year; `YYYY-MM-DD`, blank if unknown. */
  readonly begunOn: string
}

/** The source's count, else by span; without an end up to 4 weeks from now. At least 1 for a series on air. */
export function plannedEpisodes(work: Airing, now: number): number {
  const { episodesEstimate, broadcastBegin: begin, broadcastEnd: end } = work
  if (episodesEstimate !== null) return Math.min(episodesEstimate, most)
  const first = isOnTelevision(work, now) ? 1 : 0
  if (begin === null) return first
  if (end === null) return Math.max(first, untilNow(weekOf(begin, now) + 1))
  const isWeekly = work.broadcastInterval === 'P7D' || work.broadcastInterval === ''
  return Math.max(first, isWeekly ? bySpan(weekOf(begin, end) + 1) : 0)
}

const isOnTelevision = ({ media, begunOn, broadcastBegin }: Airing, now: number) =>
  media === 'tv' &&
  ((broadcastBegin !== null && broadcastBegin <= now) ||
    (begunOn !== '' && begunOn <= new Date(now).toISOString().slice(0, 10)))

/** Up to 14 weeks one each is right nine times in ten; up to 27 has a week off, longer ones one in thirteen. */
function bySpan(weeks: number): number {
  if (weeks < 1) return 0
  if (weeks <= 27) return weeks <= 14 ? weeks : weeks - 1
  return Math.min(mostWeeks, weeks - Math.floor(weeks / 13))
}

/** Most recent series without a known end ended after one season. */
function untilNow(weeks: number): number {
  if (weeks > years) return mostWeeks
  return Math.max(0, Math.min(weeks + weeksAhead, aSeason))
}

const weekOf = (begin: number, time: number) => Math.floor((time - begin) / week)

const week = 7 * 24 * 60 * 60 * 1000
const weeksAhead = 4
const aSeason = 13
const years = 104
/** A span may contain years of reruns. */
const mostWeeks = 100
/** The limit of a list of episodes (D62). */
const most = 2000
