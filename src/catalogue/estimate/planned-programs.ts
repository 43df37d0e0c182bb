import { aSeason, type BroadcastRule, isMoved } from './broadcast-rule'
import { occurrence } from './interval'

export interface Showing {
  readonly channel: number
  /** Start of the first episode in epoch milliseconds. */
  readonly begin: number
  readonly interval: string
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
  work: BroadcastRule,
  episodes: readonly number[],
  now: number,
): PlannedProgram[] {
  const { is_counted, broadcast_begin: broadcastBegin } = work
  // In a later slot, the first broadcast is not the first episode.
  if (broadcastBegin !== null && isMoved(broadcastBegin, work.released_on)) return []
  const told = is_counted === 1 ? episodes : episodes.slice(0, aSeason)
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
const endOf = ({ begin }: Showing, { broadcast_begin, broadcast_end }: BroadcastRule): number =>
  broadcast_end === null
    ? Number.POSITIVE_INFINITY
    : broadcast_end + Math.max(0, begin - (broadcast_begin ?? begin)) + day

export const windowAround = (now: number) => ({ from: now - past, to: now + future })

const isNear = (begin: number, broadcastBegin: number) =>
  begin >= broadcastBegin - 14 * day && begin <= broadcastBegin + 30 * day

const day = 24 * 60 * 60 * 1000
const past = 120 * day
const future = 60 * day
