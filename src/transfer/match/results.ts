import type { Row } from '../row'
import { testCount } from './count-test'
import type { KnownWork } from './known-work'
import type { CheckReason, Match, MatchWay } from './match'
import type { Share } from './spread'

export const mostProposals = 5

/** A row is this work, unless nobody chose it and the numbers of episodes speak against it. */
export function matched({ row, work }: Share, matchedBy: MatchWay): Match {
  const { differs, growsTo } = testCount(work, lastWatched(row), row.total)
  const found = { row, workId: work.id, matchedBy, growsTo }
  return differs && matchedBy !== 'choice'
    ? { ...found, reason: 'episode_count_differs', proposals: [work.id] }
    : { ...found, reason: null, proposals: [] }
}

/** A row may be one of these works; accepting it takes the first if it is the only one. */
export function unsure(
  row: Row,
  reason: CheckReason,
  works: readonly KnownWork[],
  matchedBy: MatchWay,
): Match {
  const [only, another] = works
  const { growsTo, ...found } =
    only !== undefined && another === undefined ? matched({ row, work: only }, matchedBy) : unmatched(row)
  return { ...found, matchedBy, reason, proposals: idsOf(works), growsTo }
}

export const unmatched = (row: Row, proposals: readonly number[] = []): Match => ({
  row,
  workId: null,
  matchedBy: null,
  reason: null,
  proposals: proposals.slice(0, mostProposals),
  growsTo: null,
})

const idsOf = (works: readonly KnownWork[]) => works.slice(0, mostProposals).map(({ id }) => id)

/** The number of the last episode that a row says was watched. */
function lastWatched({ progress = 0, total = 0, watched = [], plays = [] }: Row): number {
  const numbers = [...watched, ...plays.map(({ episode }) => episode)]
  return numbers.reduce((last, number) => Math.max(last, number), progress === 'all' ? total : progress)
}
