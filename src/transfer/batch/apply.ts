import type { Tx } from '../../db/write'
import { inChunks } from './chunks'
import { findStored, updateImport } from './import-store'
import type { ImportDeps } from './list-import'
import { PartOfImport } from './part-of-import'
import { rowsAfter } from './rows/stored-row'

/** Applies an import from the row after `done`, until it is undone, deleted or stopped. */
export async function applyRows(deps: ImportDeps, id: number, isStopping: () => boolean): Promise<void> {
  await inChunks(deps.write, (tx, isOver) => applySome(deps, tx, id, isOver), isStopping)
}

/** Reads the cursor within the transaction: two processes may apply the same import. */
async function applySome(deps: ImportDeps, tx: Tx, id: number, isOver: () => boolean): Promise<boolean> {
  const one = await findStored(tx, id)
  if (one?.state !== 'applying') return false
  const now = deps.now()
  const part = new PartOfImport({ tx, now }, one)
  const done = await applyFrom(tx, one, { part, isOver })
  await forgetMatches(tx, id, { after: one.done, upTo: done })
  const isDone = done >= one.total
  const end = isDone ? { state: 'applied', applied_at: now } : {}
  await updateImport(tx, id, { done, counts: JSON.stringify(part.counts), changed_at: now, ...end })
  return !isDone
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
