import { occurrence } from './interval'

export interface Showing {
  readonly channel: number
  /** Start of the first episode in epoch milliseconds. */
  readonly begin: number
  readonly interval: string
  /** 1 for a broadcast with an unknown end, which continues after the last known episode. */
  readonly isOpen: number
}

/** Ids; `startedAt` in epoch milliseconds. */
export interface PlannedProgram {
  readonly channel: number
  /** Null after the last known episode. */
  readonly episode: number | null
  readonly startedAt: number
}

/** Plans from 120 days ago to 60 days ahead. A stream that begins long before or after the broadcast is an archive. */
export function plannedPrograms(
  showings: readonly Showing[],
  broadcastBegin: number | null,
  episodes: readonly number[],
  now: number,
): PlannedProgram[] {
  return showings
    .filter(({ begin }) => broadcastBegin === null || isNear(begin, broadcastBegin))
    .flatMap((showing) => [
      ...ofEpisodes(showing, episodes, now),
      ...afterThem(showing, episodes.length, now),
    ])
}

const ofEpisodes = ({ channel, begin, interval }: Showing, episodes: readonly number[], now: number) =>
  episodes.flatMap((episode, k): PlannedProgram[] => {
    const startedAt = occurrence(begin, interval, k)
    const isSoon = startedAt !== undefined && startedAt >= now - past && startedAt <= now + future
    return isSoon ? [{ channel, episode, startedAt }] : []
  })

/**
 * The coming weeks of a series that outruns its episode list: the time is known, but not the episode. A
 * series with a short list is assumed to end within a year, since the end is often not recorded.
 */
function afterThem(
  { channel, begin, interval, isOpen }: Showing,
  known: number,
  now: number,
): PlannedProgram[] {
  const planned: PlannedProgram[] = []
  const until = Math.min(now + future, known >= longSeries ? Number.POSITIVE_INFINITY : begin + year)
  for (let k = known; isOpen === 1 && k < mostBroadcasts; k++) {
    const startedAt = occurrence(begin, interval, k)
    if (startedAt === undefined || startedAt > until) break
    if (startedAt >= now) planned.push({ channel, episode: null, startedAt })
  }
  return planned
}

/** An episode list this long means that the series runs for years. */
export const longSeries = 50

/** A hundred years' worth of weeks. */
const mostBroadcasts = 5200

export const windowAround = (now: number) => ({ from: now - past, to: now + future })

const isNear = (begin: number, broadcastBegin: number) =>
  begin >= broadcastBegin - 14 * day && begin <= broadcastBegin + 30 * day

const day = 24 * 60 * 60 * 1000
const year = 364 * day
const past = 120 * day
const future = 60 * day
