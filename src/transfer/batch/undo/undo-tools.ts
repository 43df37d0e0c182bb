import type { UpdateObject } from 'kysely'
import type { DB } from '../../../db/schema'
import type { Tx } from '../../../db/write'
import type { ChangeColumns } from '../change-log'
import type { Left } from '../list-import'

export type LoggedChange = ChangeColumns & { readonly id: number }

/** A change that is undone, with the user whose import it is of. */
export type UndoneChange = LoggedChange & { readonly userId: number }

export type Why = Left['why']

export async function forget(tx: Tx, { id }: { readonly id: number }): Promise<void> {
  await tx.deleteFrom('list_import_changes').where('id', '=', id).execute()
}

/** Keeps the change among those that the undo left. */
export const leave = (tx: Tx, change: { readonly id: number }, left_because: Why): Promise<void> =>
  updateChange(tx, change, { left_because })

export async function updateChange(
  tx: Tx,
  { id }: { readonly id: number },
  columns: UpdateObject<DB, 'list_import_changes'>,
): Promise<void> {
  await tx.updateTable('list_import_changes').set(columns).where('id', '=', id).execute()
}
