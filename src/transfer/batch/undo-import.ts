import { sql } from 'kysely'
import type { Tx } from '../../db/write'
import { type Change, selectChanges } from '../../library/undo/take-back'
import { undoChange, undoLeft } from '../../library/undo/undo-changes'
import { inChunks } from './chunks'
import { findStored, updateImport } from './import-store'
import type { ImportDeps } from './list-import'

/** Undoes an import in chunks, from its last change back. Changes are deleted once undone. */
export async function undoImport(deps: ImportDeps, id: number, isStopping: () => boolean): Promise<void> {
  await inChunks(deps.write, (tx, isOver) => undoSome(deps, tx, id, isOver), isStopping)
}

async function undoSome(deps: ImportDeps, tx: Tx, id: number, isOver: () => boolean): Promise<boolean> {
  const now = deps.now()
  const one = await findStored(tx, id)
  if (one?.state !== 'undoing') return false
  // uses changes_import
  const changes = await selectChanges(tx, sql`import_id = ${id} and left_because is null`, changesAtOnce)
  let rows = 0
  const undone = await undoUntil(tx, changes, () => ++rows >= mostRows || isOver())
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
const mostRows = 200
