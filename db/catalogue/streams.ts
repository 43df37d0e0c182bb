import { recurrence } from './broadcast'
import { streamSites } from './channels'
import type { Item } from './sources'
import { day, instant } from './times'

export interface Stream {
  site: string
  id?: string | undefined
  /** Start of the first episode there, ISO 8601. */
  begin: string
  /** ISO 8601 duration. */
  interval?: string | undefined
}

/** Streams that run during the broadcast; one that starts much later is just an addition to an archive. */
export function streams(item: Pick<Item, 'begin' | 'sites'>): Stream[] {
  const aired = instant(item.begin)
  if (aired === null) return []
  return item.sites.flatMap(({ site, id, begin = '', broadcast = '' }) => {
    const since = instant(begin)
    if (!streamSites.has(site) || since === null || !isSimulcast(since - aired)) return []
    return [{ site, id: id ?? undefined, begin, interval: recurrence(broadcast)?.interval }]
  })
}

const isSimulcast = (delay: number) => delay >= -14 * day && delay <= 30 * day
