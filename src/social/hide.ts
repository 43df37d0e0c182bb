import { finishMoveOrLog } from '../accounts/account/privacy'
import { changeStanding } from '../accounts/account/standing'
import type { Read } from '../db/open'
import type { Tx } from '../db/write'
import type { Deps } from '../deps'

interface Hiding {
  readonly reportId: number
  /** The administrator's id. */
  readonly by: number
  /** Its writer reads it. */
  readonly reason: string
}

/**
 * Makes what an open report is about its writer's own, and closes all reports of it: a record, a review, a comment, or else what
 * the profile says. False if it is gone or hidden already, or if there is no such report.
 */
export async function hideReported(
  { write, now }: Pick<Deps, 'write' | 'now'>,
  { reportId, by, reason }: Hiding,
): Promise<boolean> {
  return await write(async (tx) => {
    const report = await tx
      .selectFrom('reports')
      .select(['user_id', 'record_id', 'review_id', 'comment_id'])
      .where('id', '=', reportId)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    if (report === undefined || !(await setHidden(tx, report, by))) return false
    const done = { kind: 'hide', moderator_id: by, reason, created_at: now() }
    await tx
      .insertInto('moderations')
      .values({ ...report, ...done })
      .execute()
    await tx
      .updateTable('reports')
      .set({ closed_at: now(), closed_by: by, outcome: 'hidden' })
      .where('user_id', '=', report.user_id) // uses reports_user
      .where('record_id', 'is', report.record_id)
      .where('review_id', 'is', report.review_id)
      .where('comment_id', 'is', report.comment_id)
      .where('closed_at', 'is', null)
      .execute()
    return true
  })
}

interface HiddenIds {
  readonly user_id: number
  readonly record_id: number | null
  readonly review_id: number | null
  readonly comment_id: number | null
}

/** False if it is gone, or is so already. `by`: null shows it again. */
async function setHidden(tx: Tx, ids: HiddenIds, by: number | null): Promise<boolean> {
  const { record_id, review_id, comment_id } = ids
  if (record_id !== null) return await setHiddenIn(tx, 'records', { id: record_id, by })
  if (review_id !== null) return await setHiddenIn(tx, 'reviews', { id: review_id, by })
  if (comment_id !== null) return await setHiddenIn(tx, 'comments', { id: comment_id, by })
  const changed = await tx
    .updateTable('users')
    .set({ profile_hidden_by: by })
    .where('id', '=', ids.user_id)
    .where('profile_hidden_by', by === null ? 'is not' : 'is', null)
    .returning('id')
    .execute()
  return changed.length > 0
}

async function setHiddenIn(
  tx: Tx,
  table: 'records' | 'reviews' | 'comments',
  { id, by }: { readonly id: number; readonly by: number | null },
): Promise<boolean> {
  const changed = await tx
    .updateTable(table)
    .set({ hidden_by: by })
    .where('id', '=', id)
    .where('hidden_by', by === null ? 'is not' : 'is', null)
    .returning('id')
    .execute()
  return changed.length > 0
}

type UndoDeps = Pick<Deps, 'read' | 'write' | 'now' | 'log'>

/** Shows it again to whom it was shown before, or lets somebody back in. False if it was undone already, or never done. */
export async function undoModeration(
  deps: UndoDeps,
  { id, by }: { readonly id: number; readonly by: number },
): Promise<boolean> {
  const done = await deps.read
    .selectFrom('moderations')
    .select(['kind', 'user_id'])
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  if (done === undefined) return false
  if (done.kind !== 'suspend') return await undoHiding(deps, { id, by })
  const outcome = await changeStanding(deps, done.user_id, 'enable', { by })
  void finishMoveOrLog(deps, done.user_id)
  return outcome === 'done'
}

async function undoHiding(
  { write, now }: UndoDeps,
  { id, by }: { readonly id: number; readonly by: number },
): Promise<boolean> {
  return await write(async (tx) => {
    const [undone] = await tx
      .updateTable('moderations')
      .set({ undone_at: now(), undone_by: by })
      .where('id', '=', id)
      .where('undone_at', 'is', null)
      .returning(['user_id', 'record_id', 'review_id', 'comment_id'])
      .execute()
    if (undone === undefined) return false
    await setHidden(tx, undone, null)
    return true
  })
}

const pageLength = 30

/** Newest first, from below `before`. Times are epoch milliseconds; names are null of administrators who are gone. */
export async function listModerations(read: Read, before: number | undefined) {
  const rows = await read
    .selectFrom('moderations')
    .innerJoin('users as writer', 'writer.id', 'moderations.user_id')
    .leftJoin('users as moderator', 'moderator.id', 'moderator_id')
    .leftJoin('users as undoer', 'undoer.id', 'undone_by')
    .select(['moderations.id', 'kind', 'moderations.user_id', 'record_id', 'review_id', 'comment_id'])
    .select(['moderations.privacy', 'reason', 'moderations.created_at', 'undone_at'])
    .select(['moderator_id', 'undone_by'])
    .select(['writer.username', 'moderator.username as moderator', 'undoer.username as undoer'])
    .where('moderations.id', '<', before ?? Number.MAX_SAFE_INTEGER)
    .orderBy('moderations.id', 'desc')
    .limit(pageLength + 1)
    .execute()
  return { moderations: rows.slice(0, pageLength), hasMore: rows.length > pageLength }
}

export type HiddenThing = 'record_id' | 'review_id' | 'comment_id'

/** Why some of what somebody wrote is hidden, by their ids. */
export async function hiddenReasons(
  read: Read,
  userId: number,
  { name, ids }: { readonly name: HiddenThing; readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, string>> {
  const rows = await read
    .selectFrom('moderations')
    .select([`${name} as id`, 'reason'])
    .where('user_id', '=', userId)
    .where(name, 'in', ids) // uses moderations_record, moderations_review or moderations_comment
    .where('undone_at', 'is', null)
    .execute()
  return new Map(rows.flatMap(({ id, reason }) => (id === null ? [] : [[id, reason] as const])))
}

/** Why what somebody's profile says is hidden; undefined if it is not. */
export async function hiddenProfileReason(read: Read, userId: number): Promise<string | undefined> {
  const hidden = await read
    .selectFrom('moderations')
    .select('reason')
    .where('user_id', '=', userId) // uses moderations_user
    .where('kind', '=', 'hide')
    .where('record_id', 'is', null)
    .where('review_id', 'is', null)
    .where('comment_id', 'is', null)
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  return hidden?.reason
}
