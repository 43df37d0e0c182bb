import { sql } from 'kysely'
import { coverColumns } from '../../catalogue/cover-path'
import { isOnlyOfItsNumber } from '../../catalogue/shown'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Precision } from '../../library/watched'
import { pageNotFound } from '../../web/problem'
import type { MemberVisit, Visit } from '../../web/visit'
import { isOfShownWriter } from '../parts/comment-columns'
import { readerOf } from '../parts/find-user'

export type EntryKind = 'record' | 'review'

/** What has comments: also a date to watch together. */
export type ThreadKind = EntryKind | 'meeting'

/** The record or review above its comments; times are epoch milliseconds. */
export type ThreadEntry = Awaited<ReturnType<typeof findEntry>>

/** Throws the 404 page for what this person may not see. */
export async function findEntry(visit: MemberVisit, kind: EntryKind, id: number) {
  const entry = await seenEntry(visit, kind, id)
  if (entry === undefined) throw pageNotFound()
  return entry
}

/** Undefined for what this person or visitor may not see. */
export async function seenEntry(visit: Visit, kind: EntryKind, id: number) {
  const asked = { id, reader: readerOf(visit) }
  const [record] = kind === 'record' ? await recordWithWork(visit.deps.seen, asked) : []
  const [review] = kind === 'review' ? await reviewWithWork(visit.deps.seen, asked) : []
  const found = record ?? review
  if (found === undefined) return undefined
  return { ...found, kind, episode: record && { ...record, id: record.episode_id } }
}

type EntryQuery = { id: number; reader: number }

const recordWithWork = prepared((read: Read, slot: SlotOf<EntryQuery>) =>
  read
    .selectFrom('records')
    .innerJoin('users', 'users.id', 'records.user_id')
    .innerJoin('works', 'works.id', 'records.work_id')
    .innerJoin('episodes', 'episodes.id', 'records.episode_id')
    .select(['records.id', 'records.user_id', 'users.username', 'users.avatar_url', 'users.indexable'])
    .select([
      'records.comment as text',
      'records.rating_state as rating',
      'records.score',
      'records.watched_at as at',
    ])
    .select([sql<Precision>`records.watched_at_precision`.as('precision'), 'records.lap', 'records.private'])
    .select(['records.likes_count', 'records.comments_count', 'records.work_id', 'records.episode_id'])
    .select(['works.title', 'works.title_en', 'works.title_ro'])
    .select(['episodes.number', 'episodes.number_text', 'episodes.title as episode_title'])
    .select([isOnlyOfItsNumber.as('is_only'), sql<number>`works.hidden or episodes.hidden`.as('hidden')])
    .select(coverColumns(slot('reader')))
    .select([
      sql<number>`exists (select 1 from likes where record_id = records.id and user_id = ${slot('reader')})`.as(
        'liked',
      ),
      // uses records_user_episode
      sql<number>`exists (select 1 from records as own where own.user_id = ${slot('reader')}
        and own.episode_id = records.episode_id)`.as('was_seen'),
    ])
    .where('records.id', '=', slot('id'))
    .where(isOfShownWriter),
)

const reviewWithWork = prepared((read: Read, slot: SlotOf<EntryQuery>) =>
  read
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .innerJoin('works', 'works.id', 'reviews.work_id')
    .select(['reviews.id', 'reviews.user_id', 'users.username', 'users.avatar_url', 'users.indexable'])
    .select([
      'reviews.body as text',
      'reviews.rating_overall_state as rating',
      'reviews.score',
      'reviews.private',
    ])
    .select([
      sql<number>`ifnull(reviews.watched_at, reviews.created_at)`.as('at'),
      sql<Precision>`ifnull(reviews.watched_at_precision, 'time')`.as('precision'),
      sql<number>`1`.as('lap'),
    ])
    .select(['reviews.likes_count', 'reviews.comments_count', 'reviews.work_id', 'works.hidden'])
    .select(['works.title', 'works.title_en', 'works.title_ro'])
    .select(coverColumns(slot('reader')))
    .select([
      sql<number>`exists (select 1 from likes where review_id = reviews.id and user_id = ${slot('reader')})`.as(
        'liked',
      ),
      sql<number>`exists (select 1 from statuses where user_id = ${slot('reader')}
        and statuses.work_id = reviews.work_id and kind = 'watched')`.as('was_seen'),
    ])
    .where('reviews.id', '=', slot('id'))
    .where(isOfShownWriter),
)

export type ThreadComment = Awaited<ReturnType<typeof commentsUnder>>[number]

export interface CommentPage {
  readonly id: number
  readonly before: number
  readonly limit: number
  /** Epoch milliseconds: without those that were written later. */
  readonly until?: number
}

/** Newest first, from below the comment `before`. Read as a crowd: those of muted people are left out. */
export const commentsUnder = (read: Read, kind: ThreadKind, page: CommentPage) =>
  commentQueries[kind](read, { until: Number.MAX_SAFE_INTEGER, ...page })

const commentQuery = (column: 'record_id' | 'review_id' | 'meeting_id') =>
  prepared((read: Read, slot: SlotOf<{ id: number; before: number; limit: number; until: number }>) =>
    read
      .selectFrom('comments')
      .innerJoin('users', 'users.id', 'comments.user_id')
      .select(['comments.id', 'comments.user_id', 'comments.body', 'comments.created_at'])
      .select(['comments.hidden_by', 'users.username', 'users.avatar_url'])
      // uses comments_record, comments_review or comments_meeting
      .where(`comments.${column}`, '=', slot('id'))
      .where('comments.id', '<', slot('before'))
      .where('comments.created_at', '<=', slot('until'))
      .where(isOfShownWriter)
      .orderBy('comments.id', 'desc')
      .limit(slot('limit')),
  )

const commentQueries = {
  record: commentQuery('record_id'),
  review: commentQuery('review_id'),
  meeting: commentQuery('meeting_id'),
}
