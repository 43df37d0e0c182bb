import { mostEpisodes } from '../../catalogue/default/episode-count'
import { aSeason, broadcastAt, occurrence } from '../../catalogue/estimate/broadcast-rule'
import { type Occurrence, type OwnSlot, slotOccurrences, type TimeSpan } from './own-slot'
import type { TimedWork } from './queries'

/** In epoch milliseconds. */
export interface PlanSpan extends TimeSpan {
  readonly now: number
}

/** A showing at a position of the list, counted from 0. */
export interface Planned extends Occurrence {
  readonly work: TimedWork
  readonly slot: OwnSlot | undefined
  readonly position: number
}

/** How long a list of 50 and more, of which nobody knows the end, goes on. */
const goesOnFor = 56 * 86_400_000
const longList = 50

/** Up to the end of the list; a list that may grow goes on for a season, or for some weeks if it is long (D80). */
export function plannedBySlot(
  slot: OwnSlot,
  work: TimedWork,
  { from, until, now }: PlanSpan,
): readonly Planned[] {
  const left = Math.max(0, work.known - slot.base)
  const isLong = work.known >= longList
  const unlisted = isLong ? mostEpisodes : Math.max(left, aSeason)
  return slotOccurrences(slot, { from, until }, work.may_grow === 1 ? unlisted : left)
    .filter(({ k, at }) => k < left || !isLong || at <= now + goesOnFor)
    .map(({ k, at }): Planned => ({ work, slot, k, at, position: slot.base + k }))
}

export function plannedByRule(work: TimedWork, { from, until, now }: PlanSpan): readonly Planned[] {
  if (work.no_episodes === 1 || work.known === 0) return []
  const mayGoOn = work.may_grow === 1 && work.known >= longList
  const found: Planned[] = []
  for (let k = firstNear(work, from); k < (mayGoOn ? mostEpisodes : work.known); k++) {
    const at = broadcastAt(work, k)
    if (at === undefined || at >= until || (k >= work.known && at > now + goesOnFor)) break
    if (at >= from) found.push({ work, slot: undefined, k, at, position: k })
  }
  return found
}

/** A number of the rule's before the first one of a span: a series may have run for decades. */
function firstNear(
  { broadcast_begin: begin, broadcast_interval: interval }: TimedWork,
  from: number,
): number {
  if (begin === null) return 0
  const later = occurrence(begin, interval, 12)
  const each = later === undefined ? 0 : (later - begin) / 12
  return each > 0 ? Math.max(0, Math.floor((from - begin) / each) - 2) : 0
}
