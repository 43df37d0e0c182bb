import { invalidParams } from '../../http/errors'
import type { ImportDeps } from './list-import'
import { deleteImport, expire } from './remove'

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
