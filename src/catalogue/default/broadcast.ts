import { streamSites } from './channels'
import type { BangumiItem } from './sources'
import { day, instant, isDayOnly } from './times'

export interface Broadcast {
  /** ISO 8601, as in the source; absent if only the end matters. */
  begin?: string | undefined
  end?: string | undefined
  /** ISO 8601 duration. */
  interval?: string | undefined
}

/** Without a rule, `begin` counts only if it has an hour, or if episodes are still to be counted from it. */
export function broadcast(item: BangumiItem): Broadcast | null {
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
const hasSlots = ({ type }: BangumiItem) => type === 'tv' || type === 'web'

/** Parses `R/2023-09-29T14:00:00.000Z/P7D`. Null for other texts, and for `P0D` (once, or all at once). */
function recurrence(rule: string): { begin: string; interval: string } | null {
  const [, begin, interval] = /^R\/([^/]+)\/(P[1-9]\d*[DWM])$/.exec(rule) ?? []
  return begin && interval && instant(begin) !== null ? { begin, interval } : null
}

// Long-running series change slots; the rule then differs from the first broadcast.
const isMoved = ({ begin, end }: BangumiItem, ruled: string) => ruled > begin && (!end || ruled <= end)

export interface StreamTimes {
  site: string
  id?: string | undefined
  /** Start of the first episode there, ISO 8601. */
  begin: string
  /** ISO 8601 duration. */
  interval?: string | undefined
}

/** Streams that run during the broadcast; one that starts much later is just an addition to an archive. */
export function streams(item: Pick<BangumiItem, 'begin' | 'sites'>): StreamTimes[] {
  const aired = instant(item.begin)
  if (aired === null) return []
  return item.sites.flatMap(({ site, id, begin = '', broadcast = '' }) => {
    const since = instant(begin)
    if (!streamSites.has(site) || since === null || !isSimulcast(since - aired)) return []
    return [{ site, id: id ?? undefined, begin, interval: recurrence(broadcast)?.interval }]
  })
}

const isSimulcast = (delay: number) => delay >= -14 * day && delay <= 30 * day
