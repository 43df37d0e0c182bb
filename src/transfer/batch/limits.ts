import { sql } from 'kysely'
import type { Tx } from '../../db/write'
import { invalidParams } from '../../http/errors'
import { inChunks, updateImport } from './import-store'
import type { ImportDeps } from './list-import'

/** Per user. A preview of the largest file takes some 100 MB. */
export const mostPreviews = 5
export const mostImports = 100

/** How long an untouched preview is kept, in milliseconds. */
export const previewMs = 7 * 86_400_000

/** Makes room for another import: the oldest previews expire, and the oldest imports without use are deleted. */
export async function makeRoom(deps: ImportDeps, userId: number): Promise<void> {
  const own = await deps.read
    .selectFrom('list_imports') // uses list_imports_user
    .select(['id', 'state'])
    .where('user_id', '=', userId)
    .where('state', '<>', 'deleting')
    .orderBy('id', 'desc')
    .execute()
  const previews = own.filter(({ state }) => state === 'preview')
  for (const { id } of previews.slice(mostPreviews - 1)) await expire(deps, id)
  const useless = own.filter(({ state }) => ['expired', 'undone'].includes(state)).toReversed()
  const tooMany = own.length - mostImports + 1
  for (const { id } of useless.slice(0, Math.max(tooMany, 0))) await deleteImport(deps, id)
  if (tooMany > useless.length)
    throw invalidParams(
      `file must be one of at most ${mostImports} imports: delete some from the history first.`,
    )
}

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

/** Ids of previews that have not been touched for seven days. */
export async function oldPreviews({ read, now }: ImportDeps): Promise<readonly number[]> {
  const rows = await read
    .selectFrom('list_imports') // uses list_imports_open
    .select('id')
    .where('state', '=', 'preview')
    .where('changed_at', '<', now() - previewMs)
    .execute()
  return rows.map(({ id }) => id)
}
