import type { Read } from '../db/open'
import type { Tx } from '../db/write'
import type { Deps } from '../deps'

type ModerationDeps = Pick<Deps, 'write' | 'now'>

/** In code points. */
export const longestModerationReason = 1000

interface Hiding {
  readonly reportId: number
  /** The administrator's id. */
  readonly by: number
  /** Its writer reads it. */
  readonly reason: string
}

/**
 * Makes the record or review of an open report its writer's own, and closes all reports of it. False if it is gone, or if
 * there is no such report.
 */
export async function hideReported(
  { write, now }: ModerationDeps,
  { reportId, by, reason }: Hiding,
): Promise<boolean> {
  return await write(async (tx) => {
    const report = await tx
      .selectFrom('reports')
      .select(['user_id', 'record_id', 'review_id'])
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
      .where('closed_at', 'is', null)
      .execute()
    return true
  })
}

interface HiddenIds {
  readonly record_id: number | null
  readonly review_id: number | null
}

/** False if it is gone. `by`: null shows it again. */
async function setHidden(tx: Tx, { record_id, review_id }: HiddenIds, by: number | null): Promise<boolean> {
  const id = record_id ?? review_id
  if (id === null) return false
  const changed = await tx
    .updateTable(record_id === null ? 'reviews' : 'records')
    .set({ hidden_by: by })
    .where('id', '=', id)
    .returning('id')
    .execute()
  return changed.length > 0
}

/** Shows it again to whom it was shown before. False if it was undone already, or never done. */
export async function undoModeration(
  { write, now }: ModerationDeps,
  { id, by }: { readonly id: number; readonly by: number },
): Promise<boolean> {
  return await write(async (tx) => {
    const [undone] = await tx
      .updateTable('moderations')
      .set({ undone_at: now(), undone_by: by })
      .where('id', '=', id)
      .where('undone_at', 'is', null)
      .returning(['record_id', 'review_id'])
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
    .select(['moderations.id', 'moderations.user_id', 'record_id', 'review_id', 'reason'])
    .select(['moderations.created_at', 'undone_at'])
    .select(['writer.username', 'moderator.username as moderator', 'undoer.username as undoer'])
    .where('moderations.id', '<', before ?? Number.MAX_SAFE_INTEGER)
    .orderBy('moderations.id', 'desc')
    .limit(pageLength + 1)
    .execute()
  return { moderations: rows.slice(0, pageLength), hasMore: rows.length > pageLength }
}

/** Why some of somebody's own records or reviews are hidden, by their ids. */
export async function hiddenReasons(
  read: Read,
  userId: number,
  { name, ids }: { readonly name: keyof HiddenIds; readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, string>> {
  const rows = await read
    .selectFrom('moderations')
    .select([`${name} as id`, 'reason'])
    .where('user_id', '=', userId)
    .where(name, 'in', ids) // uses moderations_record or moderations_review
    .where('undone_at', 'is', null)
    .execute()
  return new Map(rows.flatMap(({ id, reason }) => (id === null ? [] : [[id, reason] as const])))
}
