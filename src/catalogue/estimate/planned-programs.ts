import { occurrence } from './interval'

/** Where a work is shown, and from when on; `channel` is the id of the channel. */
export interface Showing {
  readonly channel: number
  /** The first episode's start, in epoch milliseconds. */
  readonly begin: number
  readonly interval: string
}

/** An episode on a channel; both are ids, the start is in epoch milliseconds. */
export interface PlannedProgram {
  readonly channel: number
  readonly episode: number
  readonly startedAt: number
}

/**
 * The programs from 120 days ago to 60 days ahead: on each channel the k-th of `episodes`, which are in order, starts k
 * intervals after the first. A stream that begins long before or after the broadcast is a shelf, not a broadcast.
 */
export function plannedPrograms(
  showings: readonly Showing[],
  broadcastBegin: number | null,
  episodes: readonly number[],
  now: number,
): PlannedProgram[] {
  return showings
    .filter(({ begin }) => broadcastBegin === null || isNear(begin, broadcastBegin))
    .flatMap(({ channel, begin, interval }) =>
      episodes.flatMap((episode, k) => {
        const startedAt = occurrence(begin, interval, k)
        const isSoon = startedAt !== undefined && startedAt >= now - past && startedAt <= now + future
        return isSoon ? [{ channel, episode, startedAt }] : []
      }),
    )
}

/** Programs outside of this time around now are not planned. */
export const windowAround = (now: number) => ({ from: now - past, to: now + future })

const isNear = (begin: number, broadcastBegin: number) =>
  begin >= broadcastBegin - 14 * day && begin <= broadcastBegin + 30 * day

const day = 24 * 60 * 60 * 1000
const past = 120 * day
const future = 60 * day
