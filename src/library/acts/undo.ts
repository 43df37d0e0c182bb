import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import { type ActDeps, type UndoneAct, UndoRefused } from './act'
import { findAct } from './find-acts'
import { problemOf, undoChanges } from './restore'
import { type ActChanges, keptMs } from './write-act'

/** Restores what the act changed. Throws not_found, or `UndoRefused` if that would lose something. */
export async function undo(
  { write, warmRead, now }: ActDeps,
  userId: number,
  { actId }: { readonly actId: number },
): Promise<UndoneAct> {
  const at = now()
  const wasUndone = await write(async (tx) => {
    const act = await actOf(tx, userId, actId)
    if (act.undone_at !== null) return true
    if (act.created_at < at - keptMs) throw new UndoRefused('expired')
    const changes: ActChanges = JSON.parse(act.before)
    await undoAll(tx, changes, await isFollowed(tx, userId, act))
    await tx.updateTable('acts').set({ undone_at: at }).where('id', '=', actId).execute()
    return false
  })
  return { ...(await findAct(warmRead(), userId, actId)), wasUndone }
}

async function actOf(tx: Tx, userId: number, actId: number) {
  const act = await tx
    .selectFrom('acts')
    .select(['id', 'work_id', 'created_at', 'undone_at', 'before'])
    .where('id', '=', actId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (act === undefined) throw notFound('The act')
  return act
}

/** Whether later acts on the work depend on the status that this act set. */
async function isFollowed(tx: Tx, userId: number, act: { id: number; work_id: number }): Promise<boolean> {
  const later = await tx
    .selectFrom('acts') // uses acts_user
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '>', act.id)
    .where('work_id', '=', act.work_id)
    .where('kind', 'in', ['record', 'viewing', 'lap'])
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  return later !== undefined
}

async function undoAll(tx: Tx, { essential, aside }: ActChanges, leavesAside: boolean): Promise<void> {
  const problem = await problemOf(tx, essential)
  if (problem !== undefined) throw new UndoRefused(problem)
  if (!leavesAside && (await problemOf(tx, aside)) === undefined) await undoChanges(tx, aside)
  await undoChanges(tx, essential)
}
