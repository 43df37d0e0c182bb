import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import { type ActDeps, type UndoneAct, UndoRefused } from './act'
import type { Change } from './change-log'
import { findAct } from './find-acts'
import { failureOf, undoChanges } from './restore'
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
    const isLeft = await undoAll(tx, userId, act)
    const leaves_aside = isLeft ? 1 : 0
    await tx.updateTable('acts').set({ undone_at: at, leaves_aside }).where('id', '=', actId).execute()
    await undoLeftAsides(tx, userId)
    return false
  })
  return { ...(await findAct(warmRead(), userId, actId)), wasUndone }
}

interface StoredAct {
  readonly id: number
  readonly work_id: number
  readonly before: string
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
async function isFollowed(tx: Tx, userId: number, act: StoredAct): Promise<boolean> {
  const later = await tx
    .selectFrom('acts') // uses acts_user
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '>', act.id)
    .where('work_id', '=', act.work_id)
    .where('kind', 'in', ['record', 'viewing', 'lap', 'past'])
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  return later !== undefined
}

/** Returns whether it leaves what is aside, because later acts depend on it or changed it. */
async function undoAll(tx: Tx, userId: number, act: StoredAct): Promise<boolean> {
  const { essential, aside }: ActChanges = JSON.parse(act.before)
  const failure = await failureOf(tx, essential)
  if (failure !== undefined)
    throw new UndoRefused(failure.problem, await blockerOf(tx, userId, act, failure.change))
  const isLeft = !(await undoAside(tx, userId, act, aside))
  await undoChanges(tx, essential)
  return isLeft
}

async function undoAside(
  tx: Tx,
  userId: number,
  act: StoredAct,
  aside: ActChanges['aside'],
): Promise<boolean> {
  if (aside.length === 0) return true
  if ((await isFollowed(tx, userId, act)) || (await failureOf(tx, aside)) !== undefined) return false
  await undoChanges(tx, aside)
  return true
}

/** What earlier undos left may go now that one more act is undone. Newest first: each may uncover the one before. */
async function undoLeftAsides(tx: Tx, userId: number): Promise<void> {
  const left = await tx
    .selectFrom('acts') // uses acts_left
    .select(['id', 'work_id', 'before'])
    .where('user_id', '=', userId)
    .where('leaves_aside', '=', 1)
    .orderBy('id', 'desc')
    .execute()
  for (const act of left) {
    const { aside }: ActChanges = JSON.parse(act.before)
    if (await undoAside(tx, userId, act, aside))
      await tx.updateTable('acts').set({ leaves_aside: 0 }).where('id', '=', act.id).execute()
  }
}

/**
 * The newest act that must be undone before: it changed the same row, or for a row that is in use, the same work.
 * Undefined if an application or an import changed it.
 */
async function blockerOf(
  tx: Tx,
  userId: number,
  act: StoredAct,
  { table, key }: Change,
): Promise<number | undefined> {
  const later = await tx
    .selectFrom('acts') // uses acts_user
    .select(['id', 'work_id', 'before'])
    .where('user_id', '=', userId)
    .where('id', '>', act.id)
    .where('undone_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  const isSame = (change: Change) => change.table === table && Bun.deepEquals(change.key, key)
  const changesIt = ({ before }: StoredAct) => {
    const { essential, aside }: ActChanges = JSON.parse(before)
    return [...essential, ...aside].some(isSame)
  }
  const blocker = later.find(changesIt) ?? later.find(({ work_id }) => work_id === act.work_id)
  return blocker?.id
}
