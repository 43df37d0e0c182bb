import type { Item } from './sources'
import { instant, week } from './times'

/** What a list of episodes may grow to (D62); of longer ones no count is known to be right. */
export const mostEpisodes = 2000

/** How many weeks of a span are taken for episodes: it may hold years of reruns. */
export const mostWeeks = 100

/**
 * How many episodes a work has, or null when that cannot be told: the known count, else one a week from begin to end.
 * Half a year of weeks has one without an episode, more have one in thirteen. Discs come out when they are ready, so of an OVA only a single
 * day counts.
 */
export function episodeCount(item: Spanned, known: number | undefined): number | null {
  if (item.type === 'movie') return null
  if (known !== undefined && known > 0) return known <= mostEpisodes ? known : null
  const weeks = weeksOf(item)
  if (weeks === null || weeks < 1) return null
  if (item.type === 'ova' && weeks > 1) return null
  if (weeks <= 27) return weeks <= 14 ? weeks : weeks - 1
  return Math.min(mostWeeks, weeks - Math.floor(weeks / 13))
}

type Spanned = Pick<Item, 'type' | 'begin' | 'end'>

// The first week counts too. Rounded, because the last broadcast may start or be said to end at another hour.
function weeksOf({ begin, end }: Spanned): number | null {
  const [first, last] = [instant(begin), instant(end)]
  return first === null || last === null ? null : Math.round((last - first) / week) + 1
}
