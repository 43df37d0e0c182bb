import type { ListRow } from '../row'
import type { KnownWork } from './known-work'
import type { CheckReason, Match, MatchWay } from './match'
import type { Share } from './spread'

const mostProposals = 5

/** The row is about this work, unless nobody chose it and the episode counts contradict. */
export function matched({ row, work }: Share, matchedBy: MatchWay): Match {
  const watched = lastWatched(row)
  const { differs, growsTo } = testCount(work, watched, row.total)
  const found = { row, workId: work.id, matchedBy, growsTo }
  if (!differs) return { ...found, reason: null, proposals: [] }
  if (matchedBy !== 'choice') return { ...found, reason: 'episode_count_differs', proposals: [work.id] }
  // Whoever says that it is this work knows better than an estimate how long it is.
  const grows = work.isEstimated && watched > work.listed
  return { ...found, growsTo: grows ? Math.min(watched, mostGrown) : null, reason: null, proposals: [] }
}

/** The row may be one of these works; accepting it uses the work if there is only one. */
export function unsure(
  row: ListRow,
  reason: CheckReason,
  works: readonly KnownWork[],
  matchedBy: MatchWay,
): Match {
  const [only, another] = works
  const { growsTo, ...found } =
    only !== undefined && another === undefined ? matched({ row, work: only }, matchedBy) : unmatched(row)
  return { ...found, matchedBy, reason, proposals: idsOf(works), growsTo }
}

export const unmatched = (row: ListRow, proposals: readonly number[] = []): Match => ({
  row,
  workId: null,
  matchedBy: null,
  reason: null,
  proposals: proposals.slice(0, mostProposals),
  growsTo: null,
})

const idsOf = (works: readonly KnownWork[]) => works.slice(0, mostProposals).map(({ id }) => id)

/** The number of the last episode watched according to the row. */
function lastWatched({ progress = 0, total = 0, watched = [], plays = [] }: ListRow): number {
  const numbers = [...watched, ...plays.map(({ episode }) => episode)]
  return numbers.reduce((last, number) => Math.max(last, number), progress === 'all' ? total : progress)
}

/** How far a list of unknown length may grow. */
export const mostGrown = 2000

export interface CountTest {
  /** The source has more episodes: its id may stand for another part of the work. */
  readonly differs: boolean
  readonly growsTo: number | null
}

/** Compares the episodes that a source lists or counts as watched with those known here. */
export function testCount(work: KnownWork, watched: number, total: number | undefined): CountTest {
  const needed = Math.max(total ?? 0, watched)
  if (work.isWhole) return { differs: false, growsTo: null }
  const growsTo = watched > work.listed ? watched : null
  return needed <= mostOf(work) ? { differs: false, growsTo } : { differs: true, growsTo: null }
}

/** The highest episode number the work may have, because an estimated list may be too short. */
export function mostOf({ count, isEstimated }: KnownWork): number {
  if (count === null) return mostGrown
  return isEstimated ? count + Math.max(2, Math.floor(count / 5)) : count
}
