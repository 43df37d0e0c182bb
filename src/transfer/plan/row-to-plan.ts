import type { Match } from '../match/match'
import type { Source } from '../sources'
import type { Here } from './here'
import type { ImportOptions } from './planned-row'

export interface RowToPlan {
  readonly match: Match
  /** Of the match's work, after earlier rows of the file (`hereAfter`); null without one. */
  readonly here: Here | null
  readonly options: ImportOptions
  readonly source: Source
  /** The largest score of the file that has no scale; null for none. */
  readonly largestScore: number | null
  /** An earlier row of the file is about this work, or even the same entry of the source. It only adds to that. */
  readonly earlier: 'entry' | 'work' | null
  /** Epoch milliseconds. */
  readonly now: number
}

/** Of one transaction. */
export interface AppliedPart {
  readonly rows: number
  /** False: the limit was reached; read, plan and apply the row again in another transaction. */
  readonly isDone: boolean
}
