import type { UpdateObject } from 'kysely'
import type { DB } from '../../../db/schema'
import type { Tx } from '../../../db/write'
import type { ChangeColumns } from '../change-log'
import type { Left } from '../list-import'

export type LoggedChange = ChangeColumns & { readonly id: number }

/** A change to undo, and the user whose import made it. */
export type UndoneChange = LoggedChange & { readonly userId: number }

export type Why = Left['why']

export async function forget(tx: Tx, { id }: { readonly id: number }): Promise<void> {
  await tx.deleteFrom('list_import_changes').where('id', '=', id).execute()
}

/** Marks the change as left by the undo. */
export const leave = (tx: Tx, change: { readonly id: number }, left_because: Why): Promise<void> =>
  updateChange(tx, change, { left_because })

export async function updateChange(
  tx: Tx,
  { id }: { readonly id: number },
  columns: UpdateObject<DB, 'list_import_changes'>,
): Promise<void> {
  await tx.updateTable('list_import_changes').set(columns).where('id', '=', id).execute()
}
