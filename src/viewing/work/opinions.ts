import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import type { Precision } from '../../library/watched'
import { html, type Markup } from '../../pages/html'
import { queryText, type Visit } from '../../web/visit'
import {
  commentColumns,
  commentPrecision,
  isShownTo,
  likedBy,
  mostForVisitors,
} from '../parts/comment-columns'
import { episodeName, episodePath } from '../parts/episode-name'
import { type Opinion, opinionEntry } from '../parts/opinion'
import { guardsSpoilers, spoilerFold } from '../parts/spoilers'
import type { WorkView } from './view'

const most = 10

/** In characters. */
export const textLimit = (visit: Visit): number =>
  queryText(visit, 'texts') === 'whole' ? Number.POSITIVE_INFINITY : 280

interface WorkOpinion extends Opinion {
  readonly subject: string
  readonly path: string
  readonly wasSeen: boolean
  readonly createdAt: number
}

/**
 * What others wrote, most liked first, then newest; no texts about what the reader has not seen; for visitors those
 * of public profiles (D64).
 */
export async function workOpinions(view: WorkView): Promise<Markup> {
  const { visit } = view
  const { t } = visit
  const found = [...(await recordsIn(view)), ...(await reviewsIn(view))]
    .sort((a, b) => b.likes_count - a.likes_count || b.createdAt - a.createdAt)
    .slice(0, most)
  if (found.length === 0) return html``
  const isGuarding = guardsSpoilers(visit)
  const isOpen = (one: WorkOpinion) => !isGuarding || one.wasSeen
  const [open, guarded] = [found.filter(isOpen), found.filter((one) => !isOpen(one))]
  const limit = textLimit(visit)
  const entries = (some: readonly WorkOpinion[], isGuarded: boolean) =>
    some.length === 0
      ? ''
      : html`<ul class="opinions">${some.map((one) => opinionEntry(visit, one, { ...one, isGuarded, limit }))}</ul>`
  const fold =
    guarded.length === 0
      ? ''
      : spoilerFold(visit, t.work.guarded(guarded.length), t.work.guardedHint(guarded.length))
  return html`<section id="opinions" class="of-others"><h2>${t.work.opinions}</h2>${entries(open, false)}${fold}${entries(guarded, true)}</section>`
}

async function recordsIn({ visit, work, userId, progress }: WorkView): Promise<WorkOpinion[]> {
  const { deps } = visit
  const asked = { user: userId, work: work.id, ...(await endsIn(visit, work.id)) }
  const rows = [...(await mostLikedRecords(deps.crowd, asked)), ...(await newestRecords(deps.crowd, asked))]
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...byId.values()].map((row) => {
    const is_only = Number(progress.numbers.get(row.number ?? '') === 1)
    const address = { id: row.episode_id, work_id: work.id, number: row.number, is_only }
    return {
      ...row,
      kind: 'record',
      subject: episodeName(visit, row),
      path: `${episodePath(visit, address)}?record=${row.id}`,
      wasSeen: row.was_seen === 1,
      createdAt: row.created_at,
    }
  })
}

type OpinionsQuery = { user: number; work: number } & Ends

/** Looking ends before these rows, in the order of likes and of ids. */
type Ends = { lastLikes: number; lastLiked: number; lastRecord: number; lastReview: number }

/** For members there is no end. */
async function endsIn({ deps, session }: Visit, work: number): Promise<Ends> {
  const none = { lastLikes: -1, lastLiked: 0, lastRecord: 0, lastReview: 0 }
  if (session !== undefined) return none
  const [ends = none] = await endsForVisitors(deps.read, { work, offset: mostForVisitors })
  return ends
}

/** Uses records_work, reviews_work and records_work_liked. */
const endsForVisitors = preparedSql<Ends, { work: number; offset: number }>((slot) => {
  const at = (column: string, from: string, order: string) =>
    sql`(select ${sql.ref(column)} from ${sql.raw(from)} and work_id = ${slot('work')} order by ${sql.raw(order)}
      limit 1 offset ${slot('offset')})`
  const liked = ['records where likes_count > 0', 'likes_count desc, id desc'] as const
  return sql`select ifnull(${at('id', 'records where true', 'id desc')}, 0) as lastRecord,
    ifnull(${at('id', 'reviews where true', 'id desc')}, 0) as lastReview,
    ifnull(${at('likes_count', ...liked)}, -1) as lastLikes, ifnull(${at('id', ...liked)}, 0) as lastLiked`
})

/** Commented records by others on episodes of the work, in any order. */
const commentedRecords = (read: Read, slot: SlotOf<OpinionsQuery>) =>
  read
    .selectFrom('records')
    .innerJoin('users', 'users.id', 'records.user_id')
    .innerJoin('episodes', 'episodes.id', 'records.episode_id')
    .select(commentColumns)
    .select(['records.created_at', 'records.episode_id', 'episodes.number', 'episodes.number_text'])
    .select([
      commentPrecision,
      likedBy(slot('user')),
      // uses records_user_episode
      sql<number>`exists (select 1 from records as own where own.user_id = ${slot('user')}
        and own.episode_id = records.episode_id)`.as('was_seen'),
    ])
    .where('records.work_id', '=', slot('work'))
    .where(sql<boolean>`+records.has_comment = 1`)
    .where('episodes.hidden', '=', 0)
    .where(isShownTo(slot('user')))
    .limit(10)

// uses records_work, which tells whether there is a comment
const newestRecords = prepared((read, slot: SlotOf<OpinionsQuery>) =>
  commentedRecords(read, slot).where('records.id', '>', slot('lastRecord')).orderBy('records.id', 'desc'),
)

// uses records_work_liked
const mostLikedRecords = prepared((read, slot: SlotOf<OpinionsQuery>) =>
  commentedRecords(read, slot)
    .where('records.likes_count', '>', 0)
    .where(sql<boolean>`(records.likes_count, records.id) > (${slot('lastLikes')}, ${slot('lastLiked')})`)
    .orderBy('records.likes_count', 'desc')
    .orderBy('records.id', 'desc'),
)

/** Reviews by others that have a body, most liked first, then newest. */
const reviewsOfWork = prepared((read, slot: SlotOf<OpinionsQuery>) =>
  read
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select([
      'reviews.id',
      'users.username',
      'users.avatar_url',
      'reviews.body as text',
      'reviews.rating_overall_state as rating',
      'reviews.score',
    ])
    .select([
      'reviews.watched_at',
      sql<Precision>`ifnull(reviews.watched_at_precision, 'time')`.as('precision'),
    ])
    .select(['reviews.likes_count', 'reviews.comments_count', 'reviews.created_at'])
    .select([
      sql<number>`exists (select 1 from likes where review_id = reviews.id and user_id = ${slot('user')})`.as(
        'liked',
      ),
    ])
    // uses reviews_work
    .where('reviews.work_id', '=', slot('work'))
    .where(sql<boolean>`+reviews.has_body = 1`)
    .where('reviews.id', '>', slot('lastReview'))
    .where(isShownTo(slot('user')))
    .orderBy('reviews.likes_count', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(10),
)

async function reviewsIn({ visit, work, userId, own }: WorkView): Promise<WorkOpinion[]> {
  const { t, basePath } = visit
  const rows = await reviewsOfWork(visit.deps.crowd, {
    ...{ user: userId, work: work.id },
    ...(await endsIn(visit, work.id)),
  })
  return rows.map((row) => ({
    ...row,
    kind: 'review',
    at: row.watched_at ?? row.created_at,
    subject: t.work.whole,
    path: `${basePath}/works/${work.id}?texts=whole#review-${row.id}`,
    wasSeen: own.kind === 'watched',
    createdAt: row.created_at,
  }))
}
