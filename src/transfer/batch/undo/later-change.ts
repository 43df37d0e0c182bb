import type { Tx } from '../../../db/write'
import { forget, type UndoneChange, updateChange } from './undo-tools'

/** A status, a note or a review: it has several `ids` if its work was merged. */
type Place = Pick<UndoneChange, 'id' | 'kind' | 'userId'> & { readonly ids: readonly number[] }

/**
 * A later import may have replaced the value that a change wrote: undoing that import must then restore what was
 * there before both. `isReplaced` recognizes the value.
 */
export async function linkLater(
  tx: Tx,
  { before, ...place }: Place & Pick<UndoneChange, 'before'>,
  isReplaced: (value: string) => boolean,
): Promise<void> {
  const later = await changesAt(tx, place)
    .select('left_because')
    .where('change.id', '>', place.id)
    .where('before', 'is not', null)
    .execute()
  const replacing = later.filter((one) => isReplaced(one.before ?? ''))
  const next = replacing.find(({ left_because }) => left_because === null)
  for (const one of replacing.filter((each) => each === next || each.left_because !== null))
    await updateChange(tx, one, { before })
}

/** Earlier undos had to leave these changes; now `before` is restored, as they intended. */
export async function forgetLeft(tx: Tx, { before, ...place }: Place & Pick<UndoneChange, 'before'>) {
  const left = await changesAt(tx, place)
    .where('change.id', '<>', place.id)
    .where('left_because', 'is not', null)
    .where('before', 'is', before)
    .execute()
  for (const one of left) await forget(tx, one)
}

/** In order. Uses list_import_changes_status, list_import_changes_note or list_import_changes_review. */
const changesAt = (tx: Tx, { kind, userId, ids }: Place) =>
  tx
    .selectFrom('list_import_changes as change')
    .innerJoin('list_imports', 'list_imports.id', 'import_id')
    .select(['change.id', 'before'])
    .where('kind', '=', kind)
    .where('row_id', 'in', ids)
    .where('user_id', '=', userId)
    .orderBy('change.id')
