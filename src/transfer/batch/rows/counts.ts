import { type RowState, rowStates } from '../../plan/planned-row'

/** Rows of an import by state, and sums of what applying it adds. */
export type Counts = Readonly<Record<Counted, number>>

type Counted = RowState | keyof Sums | 'changes'

export interface Sums {
  readonly records: number
  readonly statuses: number
  readonly reviews: number
  /** Works that lists gain; one that two lists gain counts twice. */
  readonly listed: number
}

/** The part of a row that is counted. */
export interface CountedRow extends Sums {
  readonly state: RowState
  /** 1 if applying it changes anything: a row that differs need not. */
  readonly changes: number
}

export const noCounts: Counts = {
  new: 0,
  unchanged: 0,
  conflict: 0,
  check: 0,
  not_found: 0,
  skipped: 0,
  error: 0,
  records: 0,
  statuses: 0,
  reviews: 0,
  listed: 0,
  changes: 0,
}

/** Counts that are updated row by row. */
export class Tally {
  #counts: Record<Counted, number>

  constructor(counts: Counts = noCounts) {
    this.#counts = { ...counts }
  }

  get counts(): Counts {
    return { ...this.#counts }
  }

  add(row: CountedRow): void {
    this.#count(row, 1)
  }

  replace(before: CountedRow, after: CountedRow): void {
    this.#count(before, -1)
    this.#count(after, 1)
  }

  #count({ state, records, statuses, reviews, listed, changes }: CountedRow, by: 1 | -1): void {
    this.#counts[state] += by
    if (!isApplied(state)) return
    this.#counts.records += by * records
    this.#counts.statuses += by * statuses
    this.#counts.reviews += by * reviews
    this.#counts.listed += by * listed
    this.#counts.changes += by * changes
  }
}

export const isApplied = (state: RowState): boolean => state === 'new' || state === 'conflict'

export const countsOf = (text: string): Counts => ({ ...noCounts, ...JSON.parse(text) })

export const statesOf = (counts: Counts): Readonly<Record<RowState, number>> => {
  const { new: added, unchanged, conflict, check, not_found, skipped, error } = counts
  return { new: added, unchanged, conflict, check, not_found, skipped, error }
}

export const rowsIn = (counts: Counts): number => rowStates.reduce((sum, state) => sum + counts[state], 0)
