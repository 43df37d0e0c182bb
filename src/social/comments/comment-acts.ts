import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import { type Act, type ActDeps, NothingChanged } from '../../library/acts/act'
import { writeAct } from '../../library/acts/write-act'
import { type CommentedOn, type CommentIds, deletableComment, insertComment } from './write-comment'

/** Throws not_found or `CommentRefused`. */
export const writeComment = (
  deps: ActDeps,
  userId: number,
  { on, body }: { readonly on: CommentedOn; readonly body: string },
): Promise<Act> =>
  writeAct(deps, userId, 'comment', async ({ tx, log, now }) => {
    const { id, isNew } = await insertComment(tx, { userId, on, body, at: now })
    if (!isNew) throw new NothingChanged('comment')
    const ids = { record_id: null, review_id: null, meeting_id: null }
    const subject = await subjectOf(tx, { ...ids, [on.name]: on.id })
    await log.inserted('comments', subject.workId, id)
    return subject
  })

/** One's own, or one under one's own record or review. Throws not_found. */
export const dropComment = (
  deps: ActDeps,
  userId: number,
  { commentId }: { readonly commentId: number },
): Promise<Act> =>
  writeAct(deps, userId, 'delete_comment', async ({ tx, log }) => {
    const comment = await deletableComment(tx, { userId, id: commentId })
    const subject = await subjectOf(tx, comment)
    await log.deleting('comments', subject.workId, comment.id)
    await tx.deleteFrom('comments').where('id', '=', comment.id).execute()
    return subject
  })

type EntryIds = Omit<CommentIds, 'id'>

/** What a comment's record, review or date is about. */
async function subjectOf(tx: Tx, { record_id, review_id, meeting_id }: EntryIds) {
  if (meeting_id !== null) return await workOfMeeting(tx, meeting_id)
  if (record_id === null) return await workOfReview(tx, review_id)
  const record = await tx
    .selectFrom('records')
    .select(['work_id', 'episode_id'])
    .where('id', '=', record_id)
    .executeTakeFirst()
  if (record === undefined) throw notFound('The record')
  return { workId: record.work_id, episodeId: record.episode_id }
}

async function workOfReview(tx: Tx, id: number | null) {
  const review = await tx.selectFrom('reviews').select('work_id').where('id', '=', id).executeTakeFirst()
  if (review === undefined) throw notFound('The review')
  return { workId: review.work_id }
}

async function workOfMeeting(tx: Tx, id: number) {
  const meeting = await tx.selectFrom('meetings').select('work_id').where('id', '=', id).executeTakeFirst()
  if (meeting === undefined) throw notFound('The date')
  return { workId: meeting.work_id }
}
