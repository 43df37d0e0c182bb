import type { BangumiItem, Media } from './sources'
import { instant, week } from './times'

/** The limit for an episode list (D62); counts above it are unreliable. */
export const mostEpisodes = 2000

/** Null if unknown (D99). Without a known count, assumes about one episode a week where that is mostly right. */
export function episodeCount(item: Spanned, known: number | undefined): number | null {
  if (item.type === 'movie') return null
  if (known !== undefined && known > 0) return known <= mostEpisodes ? known : null
  const weeks = weeksOf(item)
  if (weeks === null || weeks < 1) return null
  // Discs are released at irregular intervals.
  if (item.type === 'ova' && weeks > 1) return null
  return episodesIn(weeks, item.type)
}

/**
 * Null if weeks do not tell. One a week is right within one in 94 of 100 works of up to 14 weeks, and 80 up to 27, where
 * a week is lost. From 28 to 40 it is mostly one season that was interrupted, above 60 a series with many breaks or years
 * of reruns. What appears on the web within a week is often a whole season at once.
 */
export function episodesIn(weeks: number, type: Media): number | null {
  if (type === 'web' && weeks === 1) return null
  if (weeks <= 27) return weeks <= 14 ? weeks : weeks - 1
  return weeks > 40 && weeks <= longestYear ? weeks - Math.floor(weeks / 13) : null
}

/** How many episodes there are at least, if weeks do not tell. */
export function episodesAtLeast(weeks: number): number {
  if (weeks <= 27) return 1
  return weeks <= longestYear ? 12 : 50
}

const longestYear = 60

interface Spanned extends Pick<BangumiItem, 'begin' | 'end'> {
  readonly type: Media
}

/** Includes the first week; rounded, since the last broadcast may be at another hour. Null if begin or end is unknown. */
export function weeksOf({ begin, end }: Pick<BangumiItem, 'begin' | 'end'>): number | null {
  const [first, last] = [instant(begin), instant(end)]
  return first === null || last === null ? null : Math.round((last - first) / week) + 1
}
