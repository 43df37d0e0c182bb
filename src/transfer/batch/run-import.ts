import { applyRows } from './apply'
import { findStored } from './import-store'
import type { ImportDeps } from './list-import'
import { deleteImport } from './remove'
import { planRows } from './rows/plan-rows'
import { undoImport } from './undo-import'

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
