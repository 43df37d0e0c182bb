import type { ApiCall } from '../api/endpoint'
import { notFound } from '../http/errors'

/** Deletes a row of the caller, with its likes and activities (D42). Throws not_found of `what`. */
export async function deleteOwn(
  { deps, viewer }: ApiCall,
  { table, id, what }: { table: 'records' | 'reviews'; id: number; what: string },
): Promise<null> {
  const deleted = await deps.write((tx) =>
    tx.deleteFrom(table).where('id', '=', id).where('user_id', '=', viewer.userId).returning('id').execute(),
  )
  if (deleted.length === 0) throw notFound(what)
  return null
}
