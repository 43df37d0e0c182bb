import type { Read } from '../../db/open'
import { type ZoneClock, zoneClock } from '../../lib/local-time'
import { type Counting, countPlays, dayLength, hourLength, type PlayCounts } from './count-plays'
import { countWorks, type WorkCounts } from './count-works'
import { readWatched, type Watched } from './plays'
import { type DayFacts, dayFactsOf } from './streaks'

export interface Choice extends Omit<Counting, 'clock'> {
  readonly timeZone: string
  /** Epoch milliseconds. */
  readonly now: number
}

export interface Statistics {
  readonly watched: Watched
  readonly plays: PlayCounts
  readonly works: WorkCounts
  readonly days: DayFacts
  readonly choice: Choice
  /** Of the zone that was chosen. */
  readonly clock: ZoneClock
}

/** Of what the reader may see of this person. Counted anew each time, by one read of records_user_work (D90). */
export async function readStatistics(
  read: Read,
  user: number,
  choice: Choice,
  whose?: 'all' | 'shareable',
): Promise<Statistics> {
  return countAll(await readWatched(read, user, whose), choice)
}

export function countAll(watched: Watched, choice: Choice): Statistics {
  const counting = { ...choice, clock: zoneClock(choice.timeZone) }
  const plays = countPlays(watched, counting)
  const today = Math.floor((counting.clock(choice.now) - choice.dayBegins * hourLength) / dayLength)
  const [works, days] = [countWorks(watched, plays, counting), dayFactsOf(plays.days, today)]
  return { watched, plays, works, days, choice, clock: counting.clock }
}
