import type { Item } from './sources'
import { instant, isDayOnly } from './times'

export interface Broadcast {
  /** ISO 8601, as the source has it. */
  begin: string
  end?: string | undefined
  /** ISO 8601 duration. */
  interval?: string | undefined
}

/**
 * When a work is on air. Without a rule, the begin alone is a broadcast if it has an hour, or if episodes are still to
 * be counted from it.
 */
export function broadcast(item: Item): Broadcast | null {
  if (!hasSlots(item) || instant(item.begin) === null) return null
  const rule = recurrence(item.broadcast ?? '')
  if (!item.broadcast && isDayOnly(item.begin) && item.end) return null
  return {
    begin: rule && isMoved(item, rule.begin) ? rule.begin : item.begin,
    end: item.end || undefined,
    interval: rule?.interval,
  }
}

// A film's begin is its first day in cinemas, an OVA's the day it is sold.
const hasSlots = ({ type }: Item) => type === 'tv' || type === 'web'

/** Takes `R/2023-09-29T14:00:00.000Z/P7D` apart. Null when it is none, or says `P0D`: once, or all at a time. */
export function recurrence(rule: string): { begin: string; interval: string } | null {
  const [, begin, interval] = /^R\/([^/]+)\/(P[1-9]\d*[DWM])$/.exec(rule) ?? []
  return begin && interval && instant(begin) !== null ? { begin, interval } : null
}

// A long runner changes its slot: what is on air now follows the rule, not the first broadcast decades ago.
const isMoved = ({ begin, end }: Item, ruled: string) => ruled > begin && (!end || ruled <= end)
