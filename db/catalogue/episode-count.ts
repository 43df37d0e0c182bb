import type { Media } from './fact'
import type { Item } from './sources'
import { instant, week } from './times'

/** The limit of a list of episodes (D62); counts of longer ones are unreliable. */
export const mostEpisodes = 2000

/** Longer spans may contain years of reruns. */
export const mostWeeks = 100

/** Null if unknown. Without a known count about one a week. */
export function episodeCount(item: Spanned, known: number | undefined): number | null {
  if (item.type === 'movie') return null
  if (known !== undefined && known > 0) return known <= mostEpisodes ? known : null
  const weeks = weeksOf(item)
  if (weeks === null || weeks < 1) return null
  // Discs are released irregularly.
  if (item.type === 'ova' && weeks > 1) return null
  return episodesIn(weeks)
}

/** Up to 14 weeks one each is right nine times in ten; up to 27 has a week off, longer ones one in thirteen. */
export function episodesIn(weeks: number): number {
  if (weeks <= 27) return weeks <= 14 ? weeks : weeks - 1
  return Math.min(mostWeeks, weeks - Math.floor(weeks / 13))
}

interface Spanned extends Pick<Item, 'begin' | 'end'> {
  readonly type: Media
}

// Includes the first week; rounded, as the last broadcast may be at another hour.
function weeksOf({ begin, end }: Spanned): number | null {
  const [first, last] = [instant(begin), instant(end)]
  return first === null || last === null ? null : Math.round((last - first) / week) + 1
}
