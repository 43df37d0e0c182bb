import type { Item } from './sources'
import { instant, week } from './times'

/** Longer than that, a count says little about which episodes there are. */
export const mostEpisodes = 60

/**
 * How many episodes a work has, or null when that cannot be told: the known count, else one a week from begin to end.
 * Half a year of weeks has one without an episode; longer spans are reruns and breaks more often than not. Discs come
 * out when they are ready, so of an OVA only a single day counts.
 */
export function episodeCount(item: Spanned, known: number | undefined): number | null {
  if (item.type === 'movie') return null
  if (known !== undefined && known > 0) return known <= mostEpisodes ? known : null
  const weeks = weeksOf(item)
  if (weeks === null || weeks < 1 || weeks > 27) return null
  if (item.type === 'ova' && weeks > 1) return null
  return weeks <= 14 ? weeks : weeks - 1
}

type Spanned = Pick<Item, 'type' | 'begin' | 'end'>

// The first week counts too. Rounded, because the last broadcast may start or be said to end at another hour.
function weeksOf({ begin, end }: Spanned): number | null {
  const [first, last] = [instant(begin), instant(end)]
  return first === null || last === null ? null : Math.round((last - first) / week) + 1
}
