import type { KnownWork } from '../../match/known-work'
import type { CheckReason } from '../../match/match'
import { matched } from '../../match/results'
import { shifted } from '../../match/spread'
import type { Rematch } from './plan-rows'
import type { StoredMatch } from './row-json'

/** Matches a row to a work that the user chose. `offset` is added to the episode numbers of the file. */
export function chooseWork(
  { row, offset: before = 0 }: StoredMatch,
  work: KnownWork,
  offset: number,
): StoredMatch {
  return { ...matched({ work, row: shifted(row, offset - before) }, 'choice'), offset }
}

/** Reasons of probable rows: a row to be checked whose only proposal has its title and a fitting medium. */
export const probableReasons: readonly CheckReason[] = ['title_without_year', 'title_differs']

/** Accepts such a row. */
export const chooseProbable: Rematch = ({ state, match }) => {
  if (state !== 'check' || match === null || match.workId === null) return undefined
  return probableReasons.some((reason) => reason === match.reason) ? { ...match, reason: null } : undefined
}
