import type { PlannedRow } from '../../plan/planned-row'
import { chunkRows } from '../import-store'
import type { StoredMatch } from './row-json'

export interface PlannedMatch {
  readonly match: StoredMatch
  readonly planned: PlannedRow
}

/** Collects planned rows until there are enough to store. */
export class WaitingRows {
  #rows: PlannedMatch[] = []
  #plays = 0

  add(row: PlannedMatch): void {
    this.#rows.push(row)
    this.#plays += row.match.row.plays?.length ?? 0
  }

  get areEnough(): boolean {
    return this.#rows.length >= chunkRows || this.#plays >= mostPlays
  }

  take(): readonly PlannedMatch[] {
    const rows = this.#rows
    this.#rows = []
    this.#plays = 0
    return rows
  }
}

/** Each takes about 1 KB, including its planned record. */
const mostPlays = 2000
