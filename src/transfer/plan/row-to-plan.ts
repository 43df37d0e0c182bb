import type { Match } from '../match/match'
import type { ListSource } from '../sources'
import type { Here } from './here'
import type { ImportOptions } from './planned-row'

export interface RowToPlan {
  readonly match: Match
  /** For the matched work, after earlier rows of the file (`hereAfter`); null without a match. */
  readonly here: Here | null
  /** The user's lists with the matched work, by their names; also `favorites`. Empty if the row is in no list. */
  readonly inLists: readonly string[]
  readonly options: ImportOptions
  readonly source: ListSource
  /** The largest score of the file without a scale; null if there is none. */
  readonly largestScore: number | null
  /** An earlier row of the file is about this work, or even the same entry of the source. This one only adds to it. */
  readonly earlier: 'entry' | 'work' | null
  /** Epoch milliseconds. */
  readonly now: number
}

/** What one transaction applied. */
export interface AppliedPart {
  readonly rows: number
  /** False if the limit was reached: read, plan and apply the row again in another transaction. */
  readonly isDone: boolean
}
