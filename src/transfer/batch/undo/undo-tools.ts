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
export async function leave(tx: Tx, { id }: { readonly id: number }, left_because: Why): Promise<void> {
  await tx.updateTable('list_import_changes').set({ left_because }).where('id', '=', id).execute()
}
