import { occurrence } from './interval'

export interface Showing {
  readonly channel: number
  /** Start of the first episode, epoch milliseconds. */
  readonly begin: number
  readonly interval: string
}

/** Ids; the start in epoch milliseconds. */
export interface PlannedProgram {
  readonly channel: number
  readonly episode: number
  readonly startedAt: number
}

/** From 120 days ago to 60 ahead. A stream that begins long before or after the broadcast is an archive. */
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

export const windowAround = (now: number) => ({ from: now - past, to: now + future })

const isNear = (begin: number, broadcastBegin: number) =>
  begin >= broadcastBegin - 14 * day && begin <= broadcastBegin + 30 * day

const day = 24 * 60 * 60 * 1000
const past = 120 * day
const future = 60 * day
