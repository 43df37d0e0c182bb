/** What of a work says how many episodes it may have; times in epoch milliseconds. */
export interface Airing {
  readonly episodesEstimate: number | null
  readonly broadcastBegin: number | null
  readonly broadcastEnd: number | null
  readonly broadcastInterval: string
}

/**
 * How many episodes to expect of a work whose episodes nobody lists: what a source says; else, while it has no end, those
 * up to four weeks from now, at most a season's; else the weeks of a weekly broadcast, if they are few enough to be
 * trusted.
 */
export function plannedEpisodes(work: Airing, now: number): number {
  const { episodesEstimate, broadcastBegin: begin, broadcastEnd: end } = work
  if (episodesEstimate !== null) return Math.min(episodesEstimate, most)
  if (begin === null) return 0
  if (end !== null) return work.broadcastInterval === 'P7D' ? bySpan(weekOf(begin, end) + 1) : 0
  return Math.max(0, Math.min(weekOf(begin, now) + 1 + weeksAhead, aSeason))
}

/** A span of up to 14 weeks is right nine times in ten; one up to 27 has a week off; longer ones tell nothing. */
function bySpan(weeks: number): number {
  if (weeks < 1 || weeks > 27) return 0
  return weeks <= 14 ? weeks : weeks - 1
}

const weekOf = (begin: number, time: number) => Math.floor((time - begin) / week)

const week = 7 * 24 * 60 * 60 * 1000
const weeksAhead = 4
const aSeason = 13
const most = 60
