import type { Tx } from '../../../db/write'
import type { ChangeKind } from '../change-log'
import { removeEpisode, removeOwn, removeRecord, removeReview } from './remove-inserted'
import { takeBackNote, takeBackReview, takeBackStatus } from './take-back-value'
import { forget, type UndoneChange, updateChange, type Why } from './undo-tools'

/** Undoes one change, or notes why it cannot. Returns false if the time ran out before the last of its rows. */
export async function takeBack(tx: Tx, change: UndoneChange, isOver: () => boolean): Promise<boolean> {
  if (change.kind === 'status') await takeBackStatus(tx, change)
  else if (change.kind === 'note') await takeBackNote(tx, change)
  else if (change.after !== null) await takeBackReview(tx, change)
  else return await removeRows(tx, change, isOver)
  return true
}

type Remove = (tx: Tx, change: UndoneChange, id: number) => Promise<Why | undefined>

const removals: Readonly<Partial<Record<ChangeKind, Remove>>> = {
  record: removeRecord,
  review: removeReview,
  episode: removeEpisode,
  lap: removeOwn('laps'),
  skip: removeOwn('skips'),
}

/** Rows that were inserted together, last to first. */
async function removeRows(tx: Tx, change: UndoneChange, isOver: () => boolean): Promise<boolean> {
  const remove = removals[change.kind]
  for (let id = change.last_id; id >= change.row_id; id -= 1) {
    const why = await remove?.(tx, change, id)
    if (why !== undefined) await leaveRow(tx, change, id, why)
    if (id > change.row_id && isOver()) {
      await updateChange(tx, change, { last_id: id - 1 })
      return false
    }
  }
  await forget(tx, change)
  return true
}

/** Stores the row as its own change. */
async function leaveRow(tx: Tx, change: UndoneChange, id: number, why: Why): Promise<void> {
  const { import_id, kind, work_id } = change
  await tx
    .insertInto('list_import_changes')
    .values({ import_id, kind, row_id: id, last_id: id, work_id, left_because: why })
    .execute()
}
