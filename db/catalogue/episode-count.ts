import type { Media } from './fact'
import type { Item } from './sources'
import { instant, week } from './times'

/** The limit for an episode list (D62); counts above it are unreliable. */
export const mostEpisodes = 2000

/** Longer spans may contain years of reruns. */
export const mostWeeks = 100

/** Null if unknown. Without a known count, assumes about one episode a week. */
export function episodeCount(item: Spanned, known: number | undefined): number | null {
  if (item.type === 'movie') return null
  if (known !== undefined && known > 0) return known <= mostEpisodes ? known : null
  const weeks = weeksOf(item)
  if (weeks === null || weeks < 1) return null
  // Discs are released at irregular intervals.
  if (item.type === 'ova' && weeks > 1) return null
  return episodesIn(weeks)
}

/** One a week up to 14 weeks is right nine times in ten; up to 27 loses a week, longer runs one in thirteen. */
export function episodesIn(weeks: number): number {
  if (weeks <= 27) return weeks <= 14 ? weeks : weeks - 1
  return Math.min(mostWeeks, weeks - Math.floor(weeks / 13))
}

interface Spanned extends Pick<Item, 'begin' | 'end'> {
  readonly type: Media
}

// Includes the first week; rounded, since the last broadcast may be at another hour.
function weeksOf({ begin, end }: Spanned): number | null {
  const [first, last] = [instant(begin), instant(end)]
  return first === null || last === null ? null : Math.round((last - first) / week) + 1
}
