import { sql } from 'kysely'
import { tellOfOwn } from '../../accounts/account/unread'
import type { Tx } from '../../db/write'
import { ChangeLog } from '../../library/undo/change-log'
import { type Change, selectChanges } from '../../library/undo/take-back'
import { undoChange, undoLeft } from '../../library/undo/undo-changes'
import { applyWrites } from '../plan/apply-writes'
import type { Writes } from '../plan/planned-row'
import { findStored, inChunks, type StoredImport, updateImport } from './import-store'
import { deleteImport } from './limits'
import type { ImportDeps } from './list-import'
import { takeOverList } from './lists-of-works'
import { type Counts, isApplied, Tally } from './rows/counts'
import { planRows } from './rows/plan-rows'
import { planNow } from './rows/planner'
import { countedRow, rowsAfter, type StoredRow, updateRow } from './rows/stored-row'

/** Does the work that an import's state calls for, until there is none left. */
export async function runImport(deps: ImportDeps, id: number, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const one = await findStored(deps.warmRead(), id)
    if (one?.state === 'applying') await applyRows(deps, id, isStopping)
    else if (one?.state === 'undoing') await undoImport(deps, id, isStopping)
    else if (one?.state === 'deleting') await deleteImport(deps, id)
    else if (one?.state === 'preview' && one.done < one.total) await planRows(deps, id, { isStopping })
    else return
  }
}

/** Applies an import from the row after `done`, until it is undone, deleted or stopped. */
async function applyRows(deps: ImportDeps, id: number, isStopping: () => boolean): Promise<void> {
  await inChunks(deps.write, (tx, isOver) => applySome(deps, tx, id, isOver), isStopping)
}

/** Reads the cursor within the transaction: two processes may apply the same import. */
async function applySome(deps: ImportDeps, tx: Tx, id: number, isOver: () => boolean): Promise<boolean> {
  const one = await findStored(tx, id)
  if (one?.state !== 'applying') return false
  const now = deps.now()
  if (one.done >= rowsOf(one)) return await applyList({ tx, now }, one)
  const part = new PartOfImport({ tx, now }, one)
  const done = await applyFrom(tx, one, { part, isOver })
  await forgetMatches(tx, id, { after: one.done, upTo: done })
  const isDone = done >= one.total
  const end = isDone ? { state: 'applied', applied_at: now } : {}
  await updateImport(tx, id, { done, counts: JSON.stringify(part.counts), changed_at: now, ...end })
  if (isDone) await tellOfOwn(tx, { user: one.userId, kind: 'import', at: now })
  return !isDone
}

/** The lists come after the rows, each in its own order. Returns whether there is more to do. */
async function applyList({ tx, now }: ImportWrite, one: StoredImport): Promise<boolean> {
  const isWhole = await takeOverList({ tx, now }, one, one.facts.lists[one.done - rowsOf(one)])
  const done = Math.min(one.done + (isWhole ? 1 : 0), one.total)
  const isDone = done >= one.total
  await updateImport(tx, one.id, {
    ...{ done, changed_at: now },
    ...(isDone && { state: 'applied', applied_at: now }),
  })
  if (isDone) await tellOfOwn(tx, { user: one.userId, kind: 'import', at: now })
  return !isDone
}

/** An import that an earlier version has begun has no lists. */
const rowsOf = ({ total, facts }: StoredImport): number => total - facts.lists.length

/** Records, reviews, episodes and statuses per transaction: each takes some 100 µs to write. */
const mostWritten = 100

interface ImportWrite {
  readonly tx: Tx
  /** Epoch milliseconds. */
  readonly now: number
}

class PartOfImport {
  readonly #tally: Tally
  #written = 0

  constructor(
    private readonly tools: ImportWrite,
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
    const { state, records, statuses, reviews, listed, changes } = row
    this.#tally.replace(row, counted)
    if (!isDone || !Bun.deepEquals({ state, records, statuses, reviews, listed, changes }, counted))
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

/** Returns the number of the last row that was applied. */
async function applyFrom(
  tx: Tx,
  { id, done: before }: { readonly id: number; readonly done: number },
  { part, isOver }: { readonly part: PartOfImport; readonly isOver: () => boolean },
): Promise<number> {
  let done = before
  for (;;) {
    const rows = await rowsAfter(tx, { id, done, limit: rowsAtOnce })
    for (const row of rows) {
      if (!(await part.apply(row))) return done
      done = row.number
      if (part.isFull || isOver()) return done
    }
    if (rows.length < rowsAtOnce || done - before >= mostRows) return done
  }
}

const rowsAtOnce = 50
const mostRows = 500

/** Rows left over keep what the file said, for `rest.csv`. */
async function forgetMatches(
  tx: Tx,
  id: number,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<void> {
  await tx
    .updateTable('list_import_rows')
    .set({ match: null })
    .where('import_id', '=', id)
    .where('number', '>', after)
    .where('number', '<=', upTo)
    .where('state', 'in', ['new', 'conflict', 'unchanged'])
    .execute()
}

/** Undoes an import in chunks, from its last change back. Changes are deleted once undone. */
async function undoImport(deps: ImportDeps, id: number, isStopping: () => boolean): Promise<void> {
  await inChunks(deps.write, (tx, isOver) => undoSome(deps, tx, id, isOver), isStopping)
}

async function undoSome(deps: ImportDeps, tx: Tx, id: number, isOver: () => boolean): Promise<boolean> {
  const now = deps.now()
  const one = await findStored(tx, id)
  if (one?.state !== 'undoing') return false
  // uses changes_import
  const changes = await selectChanges(tx, sql`import_id = ${id} and left_because is null`, changesAtOnce)
  let rows = 0
  const undone = await undoUntil(tx, changes, () => ++rows >= mostUndone || isOver())
  await undoLeft(tx, one.userId, undone)
  const isDone = undone.length === changes.length && changes.length < changesAtOnce
  const end = isDone ? { state: 'undone', undone_at: now } : {}
  await updateImport(tx, id, { done: one.done + undone.length, changed_at: now, ...end })
  return !isDone
}

/** Returns those that are undone as a whole. */
async function undoUntil(
  tx: Tx,
  changes: readonly Change[],
  isOver: () => boolean,
): Promise<readonly Change[]> {
  for (const [at, change] of changes.entries()) {
    const isWhole = await undoChange(tx, change, isOver)
    if (!isWhole || isOver()) return changes.slice(0, at + (isWhole ? 1 : 0))
  }
  return changes
}

const changesAtOnce = 100

/** Per transaction. */
const mostUndone = 200
