import { shifted } from '../../match/by-choice'
import type { KnownWork } from '../../match/known-work'
import type { CheckReason } from '../../match/match'
import { matched } from '../../match/results'
import type { Rematch } from './plan-rows'
import type { StoredMatch } from './row-json'

/** Takes a row for a work that a person chose. `offset` is added to the numbers of the file's episodes. */
export function chooseWork(
  { row, offset: before = 0 }: StoredMatch,
  work: KnownWork,
  offset: number,
): StoredMatch {
  return { ...matched({ work, row: shifted(row, offset - before) }, 'choice'), offset }
}

/** Rows to be checked whose one proposal has its title, and a medium that fits, have a work and one of these. */
export const probableReasons: readonly CheckReason[] = ['title_without_year', 'title_differs']

/** Accepts such a row. */
export const chooseProbable: Rematch = ({ state, match }) => {
  if (state !== 'check' || match === null || match.workId === null) return undefined
  return probableReasons.some((reason) => reason === match.reason) ? { ...match, reason: null } : undefined
}
