import { type RawBuilder, sql } from 'kysely'
import { isSeen } from '../../db/guard/audience'
import type { Tx } from '../../db/write'
import { ApiError, notFound } from '../../http/errors'
import type { LikeTarget } from '../likes'
import { isTold } from '../notify'
import { type OwnLimit, waitBefore } from '../own-limit'
import { seenRow } from '../user-lookup'

/** In code points. */
export const longestComment = 1000

/** Under one record, review or date. */
const mostComments = 500

/** By one person within an hour. */
const limit: OwnLimit = { table: 'comments', writer: 'user_id', most: 30, within: 3_600_000 }

/** What a comment stands under. */
export type CommentedOn = LikeTarget | { readonly name: 'meeting_id'; readonly id: number }

export interface NewComment {
  readonly userId: number
  readonly on: CommentedOn
  /** 1 to 1,000 code points. */
  readonly body: string
  /** Epoch milliseconds. */
  readonly at: number
}

export type WhyRefused = 'closed' | 'full' | 'often'

/** Nothing was written. `wait`: seconds until this person can comment again. */
export class CommentRefused extends ApiError {
  constructor(
    readonly why: WhyRefused,
    violation: string,
    readonly wait = 0,
  ) {
    super(typeOf[why], [violation], wait === 0 ? {} : { 'Retry-After': String(wait) })
  }
}

const typeOf = { closed: 'forbidden', full: 'invalid_params', often: 'rate_limited' } as const

const tables = { record_id: 'records', review_id: 'reviews', meeting_id: 'meetings' } as const

/**
 * Tells the owner and who commented before. The same text again, while it is the last one there, is the same comment. Throws
 * not_found or `CommentRefused`.
 */
export async function insertComment(
  tx: Tx,
  { userId, on, body, at }: NewComment,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const { user_id: owner } = await seenRow(tx, userId, tables[on.name], on.id)
  const { count, last } = await standingOn(tx, on)
  if (last?.user_id === userId && last.body === body) return { id: last.id, isNew: false }
  if (owner !== userId && !(await isAskedTo(tx, on, userId)) && !(await takesComments(tx, owner, userId)))
    throw new CommentRefused('closed', `${on.name} must be of somebody who takes comments from the caller.`)
  if (count >= mostComments)
    throw new CommentRefused('full', `${on.name} must have fewer than ${mostComments} comments.`)
  const wait = Math.ceil((await waitBefore(tx, limit, userId, at)) / 1000)
  if (wait > 0) throw new CommentRefused('often', `Try again in ${wait} s.`, wait)
  const row = { user_id: userId, owner_id: owner, [on.name]: on.id, body, created_at: at }
  const { id } = await tx.insertInto('comments').values(row).returning('id').executeTakeFirstOrThrow()
  await tellOthers(tx, { ...on, owner, by: userId, commentId: id, at })
  return { id, isNew: true }
}

/** Who is asked to come to a date may say something there, whomever its host takes comments from otherwise. */
async function isAskedTo(tx: Tx, { name, id }: CommentedOn, userId: number): Promise<boolean> {
  if (name !== 'meeting_id') return false
  const own = await tx
    .selectFrom('meeting_people')
    .select('user_id')
    .where('meeting_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return own !== undefined
}

/** Hidden ones included. */
async function standingOn(tx: Tx, { name, id }: CommentedOn) {
  const rows = await tx
    .selectFrom('comments')
    .select(['id', 'user_id', 'body'])
    // uses comments_record, comments_review or comments_meeting
    .where(name, '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  const { count } = await tx
    .selectFrom('comments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(name, '=', id)
    .executeTakeFirstOrThrow()
  return { count, last: rows[0] }
}

/** `comments_from` of the owner: everyone, those whom they follow, or nobody. */
export async function takesComments(
  tx: Pick<Tx, 'selectFrom'>,
  owner: number,
  from: number,
): Promise<boolean> {
  const takes = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', owner)
    .where(
      sql<boolean>`(comments_from = 'everyone' or (comments_from = 'following' and exists (
        select 1 from follows where follower_id = users.id and followed_id = ${from})))`,
    )
    .execute()
  return takes.length > 0
}

type ToTell = CommentedOn & {
  readonly owner: number
  readonly by: number
  readonly commentId: number
  readonly at: number
}

/** Whoever commented before and can no longer see the record or review is not told. */
async function tellOthers(tx: Tx, { name, id, owner, by, commentId, at }: ToTell): Promise<void> {
  const over: RawBuilder<boolean> = sql.raw(isSeen(tables[name], 'over', { id: 'told.id', isCrowd: '0' }))
  await sql`
    insert into notifications (user_id, kind, actor_id, comment_id, created_at)
    select told.id, 'comment', ${by}, ${commentId}, ${at}
    from users as told cross join ${sql.table(tables[name])} as over on over.id = ${id}
    where told.id in (select ${owner} union select user_id from comments where ${sql.ref(name)} = ${id})
      and ${isTold(sql`${by}`)} and ${over}`.execute(tx)
}

/** By its writer, or by whose record or review it stands under. Throws not_found otherwise. */
export async function deleteComment(
  tx: Tx,
  { userId, id }: { readonly userId: number; readonly id: number },
): Promise<void> {
  const { id: own } = await deletableComment(tx, { userId, id })
  await tx.deleteFrom('comments').where('id', '=', own).execute()
}

/** One that this person may delete. Throws not_found. */
export async function deletableComment(
  tx: Tx,
  { userId, id }: { readonly userId: number; readonly id: number },
): Promise<CommentIds> {
  const comment = await tx
    .selectFrom('comments')
    .select(['id', 'record_id', 'review_id', 'meeting_id'])
    .where('id', '=', id)
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('owner_id', '=', userId)]))
    .executeTakeFirst()
  if (comment === undefined) throw notFound('The comment')
  return comment
}

export interface CommentIds {
  readonly id: number
  readonly record_id: number | null
  readonly review_id: number | null
  readonly meeting_id: number | null
}
