import type { Item } from './sources'
import { instant, isDayOnly } from './times'

export interface Broadcast {
  /** ISO 8601, as in the source; absent if only the end matters. */
  begin?: string | undefined
  end?: string | undefined
  /** ISO 8601 duration. */
  interval?: string | undefined
}

/** Without a rule, `begin` counts only if it has an hour, or if episodes are still to be counted from it. */
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

// A film starts in cinemas, an OVA on its release date.
const hasSlots = ({ type }: Item) => type === 'tv' || type === 'web'

/** Parses `R/2023-09-29T14:00:00.000Z/P7D`. Null for other texts, and for `P0D` (once, or all at once). */
export function recurrence(rule: string): { begin: string; interval: string } | null {
  const [, begin, interval] = /^R\/([^/]+)\/(P[1-9]\d*[DWM])$/.exec(rule) ?? []
  return begin && interval && instant(begin) !== null ? { begin, interval } : null
}

// Long-running series change slots; the rule then differs from the first broadcast.
const isMoved = ({ begin, end }: Item, ruled: string) => ruled > begin && (!end || ruled <= end)
