import type { Match } from '../../match/match'
import type { ShownRow } from '../../plan/planned-row'
import type { RowToPlan } from '../../plan/row-to-plan'

export type StoredMatch = Match & {
  readonly earlier?: RowToPlan['earlier']
  /** Part of the row was applied in an earlier transaction. */
  readonly isBegun?: boolean
}

/** Leaves out values that are null, empty, 0 or false by default, which most are. */
export const jsonOfMatch = (match: Match): string => JSON.stringify(withoutBlanks(match, blankMatch))

export const jsonOfShown = (shown: ShownRow): string => JSON.stringify(withoutBlanks(shown, blankRow))

export const matchOf = (json: string): StoredMatch => ({ ...blankMatch, ...JSON.parse(json) })

export const shownOf = (json: string): ShownRow => ({ ...blankRow, ...JSON.parse(json) })

const withoutBlanks = (value: object, blanks: object): object => {
  const blank = new Map(Object.entries(blanks))
  return Object.fromEntries(
    Object.entries(value).filter(([name, inner]) => !Bun.deepEquals(inner, blank.get(name))),
  )
}

const blankMatch = {
  workId: null,
  matchedBy: null,
  reason: null,
  proposals: [],
  growsTo: null,
  offset: 0,
  earlier: null,
  isBegun: false,
}

const blankRow: ShownRow = {
  matchedBy: null,
  status: null,
  episodes: 0,
  added: 0,
  changes: false,
  skips: 0,
  growsTo: null,
  rating: null,
  score: null,
  hasUnknownScale: false,
  reviewBody: '',
  hasPrivateNote: false,
  startedOn: null,
  finishedOn: null,
  rewatches: 0,
  lists: [],
  listed: 0,
  records: [],
  here: { status: null, episodes: 0, rating: null, score: null, reviewBody: '', hasPrivateNote: false },
  proposals: [],
  fileTotal: null,
  catalogueTotal: null,
  warnings: [],
}
