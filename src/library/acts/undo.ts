import { sql } from 'kysely'
import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import { selectChanges } from '../undo/take-back'
import { mustBeLastBetween, UndoRefused, undoChange, undoLeft } from '../undo/undo-changes'
import { type ActDeps, keptMs, type UndoneAct } from './act'
import { findAct } from './find-acts'

/** Restores what the act changed. Throws not_found, or `UndoRefused` if that would lose something. */
export async function undo(
  { write, warmRead, now }: ActDeps,
  userId: number,
  { actId }: { readonly actId: number },
): Promise<UndoneAct> {
  const at = now()
  const wasUndone = await write(async (tx) => {
    const act = await ownAct(tx, userId, actId)
    if (act.undone_at !== null) return true
    if (act.created_at < at - keptMs) throw new UndoRefused('expired')
    await mustBeLastBetween(tx, { user: userId, act: actId })
    await tx.updateTable('acts').set({ undone_at: at }).where('id', '=', actId).execute()
    const changes = await selectChanges(tx, sql`act_id = ${actId}`) // uses changes_act
    for (const change of changes) await undoChange(tx, change)
    await undoLeft(tx, userId, changes)
    return false
  })
  return { ...(await findAct(warmRead(), userId, actId)), wasUndone }
}

async function ownAct(tx: Tx, userId: number, actId: number) {
  const act = await tx
    .selectFrom('acts')
    .select(['created_at', 'undone_at'])
    .where('id', '=', actId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (act === undefined) throw notFound('The act')
  return act
}
