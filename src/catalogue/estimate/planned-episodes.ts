import { episodesIn, mostEpisodes, mostWeeks } from '../../../db/catalogue/episode-count'

/** Times in epoch milliseconds. */
export interface Airing {
  readonly media: string
  readonly episodesEstimate: number | null
  readonly broadcastBegin: number | null
  readonly broadcastEnd: number | null
  readonly broadcastInterval: string
  /** The release day, or the first day of its season or year, `YYYY-MM-DD`; blank if unknown. */
  readonly begunOn: string
}

/** The source's count, else weeks of broadcasting; without an end, up to 4 weeks from now. At least 1 while on air. */
export function plannedEpisodes(work: Airing, now: number): number {
  const { episodesEstimate, broadcastBegin: begin, broadcastEnd: end } = work
  if (episodesEstimate !== null) return Math.min(episodesEstimate, mostEpisodes)
  const first = isOnTelevision(work, now) ? 1 : 0
  if (begin === null) return first
  if (end === null) return Math.max(first, untilNow(weekOf(begin, now) + 1))
  const isWeekly = work.broadcastInterval === 'P7D' || work.broadcastInterval === ''
  return Math.max(first, isWeekly ? episodesIn(weekOf(begin, end) + 1) : 0)
}

const isOnTelevision = ({ media, begunOn, broadcastBegin }: Airing, now: number) =>
  media === 'tv' &&
  ((broadcastBegin !== null && broadcastBegin <= now) ||
    (begunOn !== '' && begunOn <= new Date(now).toISOString().slice(0, 10)))

/** Most recent series with an unknown end ended after one season. */
function untilNow(weeks: number): number {
  if (weeks > years) return mostWeeks
  return Math.max(0, Math.min(weeks + weeksAhead, aSeason))
}

const weekOf = (begin: number, time: number) => Math.floor((time - begin) / week)

const week = 7 * 24 * 60 * 60 * 1000
const weeksAhead = 4
const aSeason = 13
const years = 104
