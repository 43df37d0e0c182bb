import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import { type ActDeps, type UndoneAct, UndoRefused } from './act'
import type { Change } from './change-log'
import { findAct } from './find-acts'
import { checkUndo, undoChanges } from './restore'
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
  const { failure, gone } = await checkUndo(tx, essential)
  const later = failure === undefined && gone.length === 0 ? [] : await laterActs(tx, userId, act)
  if (failure !== undefined && !(await wentWithItsAct(tx, userId, act, failure.change)))
    throw new UndoRefused(failure.problem, blockerOf(act, later, failure.change))
  // A record that was deleted would come back with the undo of its deletion.
  const deletion = gone.map((change) => changing(later, change, isDone)).find((found) => found !== undefined)
  if (deletion !== undefined) throw new UndoRefused('changed', deletion.id)
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
  if ((await isFollowed(tx, userId, act)) || (await checkUndo(tx, aside)).failure !== undefined) return false
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

/** An edit of a row that went when the act which had made it was undone: there is nothing left to restore. */
async function wentWithItsAct(tx: Tx, userId: number, act: StoredAct, { did, table, key }: Change) {
  if (did !== 'update') return false
  const earlier = await tx
    .selectFrom('acts') // uses acts_user
    .select('before')
    .where('user_id', '=', userId)
    .where('id', '<', act.id)
    .where('work_id', '=', act.work_id)
    .where('undone_at', 'is not', null)
    .execute()
  return earlier.some(({ before }) => {
    const { essential }: ActChanges = JSON.parse(before)
    return essential.some(
      (one) => one.did === 'insert' && one.table === table && Bun.deepEquals(one.key, key),
    )
  })
}

interface LaterAct extends StoredAct {
  readonly undone_at: number | null
}

/** Newest first, with undone ones that left something. */
const laterActs = (tx: Tx, userId: number, { id }: StoredAct): Promise<readonly LaterAct[]> =>
  tx
    .selectFrom('acts') // uses acts_user
    .select(['id', 'work_id', 'before', 'undone_at'])
    .where('user_id', '=', userId)
    .where('id', '>', id)
    .where((is) => is.or([is('undone_at', 'is', null), is('leaves_aside', '=', 1)]))
    .orderBy('id', 'desc')
    .limit(200)
    .execute()

const isDone = ({ undone_at }: LaterAct) => undone_at === null

/**
 * The newest act that must be undone before: it changed the same row, or keeps an undone act from giving that row back,
 * or uses it and is of the same work. Undefined if an application or an import changed it.
 */
function blockerOf(act: StoredAct, later: readonly LaterAct[], change: Change): number | undefined {
  const left = changing(later, change, (one) => !isDone(one))
  const ofWork = (work_id: number | undefined) => later.find((one) => isDone(one) && one.work_id === work_id)
  return (changing(later, change, isDone) ?? ofWork(left?.work_id) ?? ofWork(act.work_id))?.id
}

function changing(
  later: readonly LaterAct[],
  { table, key }: Change,
  which: (act: LaterAct) => boolean,
): LaterAct | undefined {
  const isSame = (change: Change) => change.table === table && Bun.deepEquals(change.key, key)
  return later.filter(which).find(({ before }) => {
    const { essential, aside }: ActChanges = JSON.parse(before)
    return [...essential, ...aside].some(isSame)
  })
}
