import { sql } from 'kysely'
import type { Tx } from '../../db/write'
import { inChunks } from './chunks'
import { updateImport } from './import-store'
import type { ImportDeps } from './list-import'

type Needs = Pick<ImportDeps, 'read' | 'write' | 'now'>

/** Deletes an import in short writes. If interrupted, the next start continues. */
export async function deleteImport({ write }: Needs, id: number): Promise<void> {
  await write((tx) => updateImport(tx, id, { state: 'deleting' }))
  await deleteContents({ write }, id)
  await write(async (tx) => {
    await tx.deleteFrom('list_imports').where('id', '=', id).where('state', '=', 'deleting').execute()
  })
}

/** Deletes the rows of a preview, which stays in the history. */
export async function expire({ write, now }: Pick<Needs, 'write' | 'now'>, id: number): Promise<void> {
  const expired = await write((tx) =>
    tx
      .updateTable('list_imports')
      .set({ state: 'expired', changed_at: now(), done: 0, total: 0 })
      .where('id', '=', id)
      .where('state', '=', 'preview')
      .returning('id')
      .execute(),
  )
  if (expired.length > 0) await deleteContents({ write }, id)
}

export async function deleteContents({ write }: Pick<Needs, 'write'>, id: number): Promise<void> {
  for (const table of ['list_import_rows', 'changes'] as const)
    await inChunks(write, async (tx, isOver) => {
      while (!isOver()) if ((await deleteSome(tx, table, id)) === 0) return false
      return true
    })
}

async function deleteSome(tx: Tx, table: 'list_import_rows' | 'changes', id: number): Promise<number> {
  const rows = sql.table(table)
  const { numAffectedRows } = await sql`
    delete from ${rows} where id in (select id from ${rows} where import_id = ${id} limit 50)`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
