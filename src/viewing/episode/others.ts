import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { type RatingState, ratingStates } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { queryText } from '../../web/visit'
import {
  commentColumns,
  commentPrecision,
  isShownTo,
  likedBy,
  mostForVisitors,
} from '../parts/comment-columns'
import { episodePath } from '../parts/episode-name'
import { opinionEntry } from '../parts/opinion'
import { ratingMark } from '../parts/rating'
import { guardsSpoilers, spoilerFold } from '../parts/spoilers'
import type { EpisodeView } from './view'

const pageSize = 20

/**
 * Records by other users; their texts only once the reader has recorded the episode. Visitors see
 * those of public profiles (D64).
 */
export async function recordsOfOthers(view: EpisodeView): Promise<Markup> {
  const { visit, episode } = view
  const { t } = visit
  const { records_count, record_comments_count } = episode
  const counts = t.episode.counts(records_count, record_comments_count)
  return html`<section id="opinions" class="of-others"><h2>${t.episode.records} <small>${counts}</small></h2>
    ${records_count === 0 ? html`<p class="meta">${t.episode.nobody}</p>` : await distribution(view)}
    ${await comments(view)}</section>`
}

/** How users rated the episode: bars, or a sentence as long as there are few ratings. */
async function distribution({ visit, episode }: EpisodeView): Promise<Markup> {
  const rows = await ratingsOf(visit.deps.read, { episode: episode.id })
  const counts = new Map(rows.map(({ state, count }) => [state, count]))
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return html``
  if (total < enough) return html`<p class="meta">${visit.t.episode.fewRatings(total)}</p>`
  const most = Math.max(...counts.values())
  return html`<ul class="distribution">${bestFirst.map((state) => bar(visit, state, counts.get(state) ?? 0, most))}</ul>`
}

const enough = 5

const bestFirst = [...ratingStates].reverse()

function bar(pageContext: EpisodeView['visit'], state: RatingState, count: number, most: number) {
  const width = Math.round((1000 * count) / most) / 10
  const kind = count === most ? 'most' : 'less'
  return html`<li>${ratingMark(pageContext, { rating: state, score: null })}<svg class="${kind}" width="100%" height="12" aria-hidden="true"><rect width="${width}%" height="12" rx="3" /></svg><b>${count}</b></li>`
}

// uses records_episode
const ratingsOf = prepared((read, slot: SlotOf<{ episode: number }>) =>
  read
    .selectFrom('records')
    .select([sql<RatingState>`rating_state`.as('state'), sql<number>`count(*)`.as('count')])
    .where('episode_id', '=', slot('episode'))
    .where('rating_state', 'is not', null)
    .groupBy('rating_state'),
)

async function comments(view: EpisodeView): Promise<Markup> {
  const { visit, episode, records, userId } = view
  const { deps, t } = visit
  const only = readIfValid(positiveInteger, queryText(visit, 'record'))
  const asked = readIfValid(positiveInteger, queryText(visit, 'before'))
  const before = only === undefined ? (asked ?? Number.MAX_SAFE_INTEGER) : only + 1
  const limit = only === undefined ? pageSize + 1 : 1
  const after = visit.session === undefined ? await endForVisitors(view, before) : 0
  const found = await commentsOf(deps.crowd, { episode: episode.id, user: userId, before, after, limit })
  if (found.length === 0 && after === 0) return html``
  const shown = found.slice(0, pageSize)
  const isGuarded = records.length === 0 && guardsSpoilers(visit)
  const waiting = visit.session === undefined ? shown.length : episode.record_comments_count
  const path = episodePath(visit, episode)
  const entries = shown.map((row) =>
    opinionEntry(
      visit,
      { ...row, kind: 'record' },
      {
        isGuarded,
        limit: only === undefined ? 1000 : Number.POSITIVE_INFINITY,
        path: `${path}?record=${row.id}`,
      },
    ),
  )
  const fold =
    isGuarded && shown.length > 0
      ? spoilerFold(visit, t.episode.guarded(waiting), t.episode.guardedHint(waiting))
      : ''
  const older =
    (found.length > pageSize || after > 0) && !isGuarded && only === undefined
      ? html`<a class="button small" href="${path}?before=${found.length > pageSize ? (shown.at(-1)?.id ?? 0) : after + 1}#opinions">${t.episode.older}</a>`
      : ''
  const all =
    only === undefined ? '' : html`<a class="button small" href="${path}#opinions">${t.episode.all}</a>`
  const list = entries.length === 0 ? '' : html`<ul class="opinions">${entries}</ul>`
  return html`${fold}${list}${older}${all}`
}

/** The comment at which looking for a visitor ends; 0 if there are not so many. */
async function endForVisitors({ visit, episode }: EpisodeView, before: number): Promise<number> {
  const [end] = await commentAt(visit.deps.read, { episode: episode.id, before, offset: mostForVisitors })
  return end?.id ?? 0
}

// uses records_episode
const commentAt = prepared((read, slot: SlotOf<{ episode: number; before: number; offset: number }>) =>
  read
    .selectFrom('records')
    .select('id')
    .where('episode_id', '=', slot('episode'))
    .where(sql<boolean>`+has_comment = 1`)
    .where('id', '<', slot('before'))
    .orderBy('id', 'desc')
    .limit(1)
    .offset(slot('offset')),
)

type OthersQuery = { episode: number; user: number; before: number; after: number; limit: number }

/** Records by others with a comment, newest first. */
const commentsOf = prepared((read, slot: SlotOf<OthersQuery>) =>
  read
    .selectFrom('records')
    .innerJoin('users', 'users.id', 'records.user_id')
    .select(commentColumns)
    .select([commentPrecision, likedBy(slot('user'))])
    // uses records_episode
    .where('records.episode_id', '=', slot('episode'))
    .where(sql<boolean>`+records.has_comment = 1`)
    .where('records.id', '<', slot('before'))
    .where('records.id', '>', slot('after'))
    .where(isShownTo(slot('user')))
    .orderBy('records.id', 'desc')
    .limit(slot('limit')),
)
