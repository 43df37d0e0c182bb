import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import type { Match, Matcher } from '../match/match'
import type { ChangeSink } from '../plan/change-sink'
import type { Writes } from '../plan/planned-row'
import type { AppliedPart } from '../plan/row-to-plan'
import type { Source } from '../readers/reader'

/** How rows are matched and written. */
export interface Engine {
  matcher(read: Read, asked: { readonly userId: number; readonly source: Source }): Promise<Matcher>
  /** Takes a work that a person chose for a row. `offset` is added to the numbers of its episodes. */
  choose(db: Read | Tx, match: Match, workId: number, offset: number): Promise<Match>
  isProbable(match: Match): boolean
  apply(tx: Tx, userId: number, writes: Writes, tools: ApplyTools): Promise<AppliedPart>
}

export interface ApplyTools {
  readonly sink: ChangeSink
  /** Rows that may be written in this transaction. */
  readonly most: number
  /** Epoch milliseconds. */
  readonly now: number
}

const notYet = async (): Promise<never> => {
  throw new Error('not yet')
}

export const engine: Engine = { matcher: notYet, choose: notYet, isProbable: () => false, apply: notYet }
