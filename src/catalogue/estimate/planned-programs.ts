import { occurrence } from './interval'
import { aSeason, isMoved } from './planned-episodes'

export interface Showing {
  readonly channel: number
  /** Start of the first episode in epoch milliseconds. */
  readonly begin: number
  readonly interval: string
}

/** Times in epoch milliseconds. */
export interface ShownWork {
  readonly broadcastBegin: number | null
  readonly broadcastEnd: number | null
  /** The release day, `YYYY-MM-DD`; blank if unknown. */
  readonly releasedOn: string
  /** 1 if a source gives the number of episodes or lists them. */
  readonly isCounted: number
}

/** Ids; `startedAt` in epoch milliseconds. */
export interface PlannedProgram {
  readonly channel: number
  readonly episode: number
  readonly startedAt: number
}

/**
 * Plans from 120 days ago to 60 days ahead, a broadcast for each episode (D113): up to the end or, if neither that nor the
 * number of episodes is known, for a season (D99). A stream that begins long before or after the broadcast is an archive.
 */
export function plannedPrograms(
  showings: readonly Showing[],
  work: ShownWork,
  episodes: readonly number[],
  now: number,
): PlannedProgram[] {
  const { isCounted, broadcastBegin } = work
  // In a later slot, the first broadcast is not the first episode.
  if (isMoved(work)) return []
  const told = isCounted === 1 ? episodes : episodes.slice(0, aSeason)
  return showings
    .filter(({ begin }) => broadcastBegin === null || isNear(begin, broadcastBegin))
    .flatMap((showing) => ofEpisodes(showing, told, { now, until: endOf(showing, work) }))
}

interface Span {
  readonly now: number
  readonly until: number
}

const ofEpisodes = (
  { channel, begin, interval }: Showing,
  episodes: readonly number[],
  { now, until }: Span,
) =>
  episodes.flatMap((episode, k): PlannedProgram[] => {
    const startedAt = occurrence(begin, interval, k)
    if (startedAt === undefined || startedAt > until) return []
    return startedAt >= now - past && startedAt <= now + future ? [{ channel, episode, startedAt }] : []
  })

/** A stream that begins later also ends later; the last broadcast may be at another hour. */
const endOf = ({ begin }: Showing, { broadcastBegin, broadcastEnd }: ShownWork): number =>
  broadcastEnd === null
    ? Number.POSITIVE_INFINITY
    : broadcastEnd + Math.max(0, begin - (broadcastBegin ?? begin)) + day

export const windowAround = (now: number) => ({ from: now - past, to: now + future })

const isNear = (begin: number, broadcastBegin: number) =>
  begin >= broadcastBegin - 14 * day && begin <= broadcastBegin + 30 * day

const day = 24 * 60 * 60 * 1000
const past = 120 * day
const future = 60 * day
