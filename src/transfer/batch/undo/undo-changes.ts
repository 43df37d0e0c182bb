import type { Tx } from '../../../db/write'
import { inChunks } from '../chunks'
import { findStored, memberOf, updateImport } from '../import-store'
import { type ImportDeps, leftKinds } from '../list-import'
import { takeBack } from './take-back'
import type { LoggedChange } from './undo-tools'

/** Undoes an import in chunks, from its last change back. Changes are deleted once undone. */
export async function undoChanges(deps: ImportDeps, id: number, isStopping: () => boolean): Promise<void> {
  await inChunks(deps.write, (tx, isOver) => undoSome(deps, tx, id, isOver), isStopping)
}

async function undoSome(deps: ImportDeps, tx: Tx, id: number, isOver: () => boolean): Promise<boolean> {
  const now = deps.now()
  const one = await findStored(tx, id)
  if (one?.state !== 'undoing') return false
  const changes = await lastChanges(tx, id)
  let [done, rows] = [one.done, 0]
  const isFull = () => ++rows >= mostRows || isOver()
  for (const change of changes) {
    const isWhole = await takeBack(tx, { ...change, userId: one.userId }, isFull)
    if (isWhole) done += 1
    if (isWhole && !isFull()) continue
    await updateImport(tx, id, { done, changed_at: now })
    return true
  }
  const isDone = changes.length < changesAtOnce
  const end = isDone ? { state: 'undone', undone_at: now } : {}
  await updateImport(tx, id, { done, changed_at: now, ...end })
  return !isDone
}

const changesAtOnce = 100
/** Per transaction. */
const mostRows = 200

/** Last first. Uses list_import_changes_import. */
async function lastChanges(tx: Tx, id: number): Promise<readonly LoggedChange[]> {
  const rows = await tx
    .selectFrom('list_import_changes')
    .select(['id', 'import_id', 'kind', 'row_id', 'last_id', 'work_id', 'before', 'after'])
    .where('import_id', '=', id)
    .where('left_because', 'is', null)
    .orderBy('id', 'desc')
    .limit(changesAtOnce)
    .execute()
  return rows.map((row) => ({ ...row, kind: memberOf(leftKinds, row.kind) }))
}
