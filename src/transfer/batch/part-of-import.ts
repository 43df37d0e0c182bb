import type { Tx } from '../../db/write'
import { ChangeLog } from '../../library/undo/change-log'
import { applyWrites } from '../plan/apply-writes'
import type { Writes } from '../plan/planned-row'
import type { StoredImport } from './import-store'
import { type Counts, isApplied, Tally } from './rows/counts'
import { planNow } from './rows/planner'
import { countedRow, type StoredRow, updateRow } from './rows/stored-row'

/** Records, reviews, episodes and statuses per transaction: each takes some 100 µs to write. */
const mostWritten = 100

interface Tools {
  readonly tx: Tx
  /** Epoch milliseconds. */
  readonly now: number
}

export class PartOfImport {
  readonly #tally: Tally
  #written = 0

  constructor(
    private readonly tools: Tools,
    private readonly one: StoredImport,
  ) {
    this.#tally = new Tally(one.counts)
  }

  get counts(): Counts {
    return this.#tally.counts
  }

  get isFull(): boolean {
    return this.#written >= mostWritten
  }

  /** Returns false if the rest of the row must go into another transaction. */
  async apply(row: StoredRow): Promise<boolean> {
    const { match } = row
    if (match === null || !isApplied(row.state)) return true
    const { tx, now } = this.tools
    const planned = await planNow({ db: tx, now }, this.one, match)
    const isDone = !isApplied(planned.state) || (await this.#write(planned.writes))
    if (match.isBegun === true) return isDone
    const counted = countedRow(planned)
    const { state, records, statuses, reviews, changes } = row
    this.#tally.replace(row, counted)
    if (!isDone || !Bun.deepEquals({ state, records, statuses, reviews, changes }, counted))
      await updateRow(tx, row.id, { match: { ...match, isBegun: !isDone }, planned })
    return isDone
  }

  async #write(writes: Writes | null): Promise<boolean> {
    if (writes === null) return true
    const { tx, now } = this.tools
    const log = new ChangeLog(tx, this.one.userId, 'import')
    const limit = mostWritten - this.#written
    const toApply = { userId: this.one.userId, writes, limit, now }
    const { rows, isDone } = await applyWrites(tx, toApply, log)
    this.#written += rows
    await log.write({ import_id: this.one.id })
    return isDone
  }
}
