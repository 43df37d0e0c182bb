import { episodesAtLeast, episodesIn, mostEpisodes } from '../default/episode-count'
import type { Media } from '../default/sources'
import { aSeason, isMoved } from './broadcast-rule'

/** Times in epoch milliseconds. */
export interface Airing {
  readonly media: Media
  readonly episodesEstimate: number | null
  readonly broadcastBegin: number | null
  readonly broadcastEnd: number | null
  readonly broadcastInterval: string
  /** The release day, or the first day of its season or year, `YYYY-MM-DD`; blank if unknown. */
  readonly begunOn: string
  /** The release day; blank if unknown. */
  readonly releasedOn: string
}

/**
 * The source's count, else weeks of broadcasting if they tell one, else what there is at least (D99); without an end, up
 * to 4 weeks from now. At least 1 while on air.
 */
export function plannedEpisodes(work: Airing, now: number): number {
  const { media, episodesEstimate, broadcastEnd: end } = work
  if (episodesEstimate !== null) return Math.min(episodesEstimate, mostEpisodes)
  const first = isOnTelevision(work, now) ? 1 : 0
  const begin = begunAt(work)
  if (begin === null) return first
  if (end === null)
    return Math.max(first, work.broadcastBegin === null ? 0 : untilNow(weekOf(begin, now) + 1))
  const isWeekly = work.broadcastInterval === 'P7D' || work.broadcastInterval === ''
  const weeks = Math.round((end - begin) / week) + 1
  if (!isWeekly || weeks < 1) return first
  return Math.max(first, episodesIn(weeks, media) ?? episodesAtLeast(weeks))
}

function begunAt({ broadcastBegin, ...work }: Airing): number | null {
  if (broadcastBegin !== null && !isMoved(broadcastBegin, work.releasedOn)) return broadcastBegin
  const day = Date.parse(work.begunOn)
  return Number.isNaN(day) ? null : day
}

const isOnTelevision = ({ media, begunOn, broadcastBegin }: Airing, now: number) =>
  media === 'tv' &&
  ((broadcastBegin !== null && broadcastBegin <= now) ||
    (begunOn !== '' && begunOn <= new Date(now).toISOString().slice(0, 10)))

/** Most recent series with an unknown end ended after one season. */
function untilNow(weeks: number): number {
  if (weeks > years) return episodesAtLeast(weeks)
  return Math.max(0, Math.min(weeks + weeksAhead, aSeason))
}

const weekOf = (begin: number, time: number) => Math.floor((time - begin) / week)

const week = 7 * 24 * 60 * 60 * 1000
const weeksAhead = 4
const years = 104
