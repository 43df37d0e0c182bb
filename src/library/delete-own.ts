import type { ApiCall } from '../api/endpoint'
import type { Tx } from '../db/write'
import { notFound } from '../http/errors'

type OwnRow = { readonly table: 'records' | 'reviews'; readonly id: number; readonly what: string }

/** Deletes a row of the caller's, with its likes and activities (D42). Throws not_found, naming `what`. */
export async function deleteOwn({ deps, viewer }: ApiCall, row: OwnRow): Promise<null> {
  await deps.write((tx) => deleteRowOf(tx, viewer.userId, row))
  return null
}

export async function deleteRowOf(tx: Tx, userId: number, { table, id, what }: OwnRow): Promise<void> {
  const deleted = await tx
    .deleteFrom(table)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .execute()
  if (deleted.length === 0) throw notFound(what)
}
