import { shifted } from '../../match/by-choice'
import type { KnownWork } from '../../match/known-work'
import { matched } from '../../match/results'
import type { Rematch } from './plan-rows'
import type { StoredMatch } from './stored-row'

/** Takes a row for a work that a person chose. `offset` is added to the numbers of the file's episodes. */
export function chooseWork(
  { row, offset: before = 0 }: StoredMatch,
  work: KnownWork,
  offset: number,
): StoredMatch {
  return { ...matched({ work, row: shifted(row, offset - before) }, 'choice'), offset }
}

/** Accepts a row to be checked whose one proposal has its title, and a medium that fits. */
export const chooseProbable: Rematch = ({ state, match }) => {
  if (state !== 'check' || match === null || match.workId === null) return undefined
  const { reason } = match
  return reason === 'title_without_year' || reason === 'title_differs'
    ? { ...match, reason: null }
    : undefined
}
