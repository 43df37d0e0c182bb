import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Precision } from '../../library/watched'
import { html, type Markup } from '../../pages/html'
import { watchedTime } from '../../pages/partial-date'
import { comment } from '../parts/opinion'
import { ownMenu } from '../parts/own-menu'
import { ratingMark } from '../parts/rating-mark'
import { textLimit } from './opinions'
import type { WorkView } from './view'

/**
 * The reader's own viewings and reviews of the work, newest first, each with its menu. Leaves out a rating alone, which
 * is shown next to the status.
 */
export async function ownViewings({ visit, work, userId }: WorkView): Promise<Markup> {
  const rows = await viewingsOf(visit.deps.read, { user: userId, work: work.id })
  if (rows.length === 0) return html``
  const { t } = visit
  const items = rows.map((row, index) => {
    const name = t.work.nthViewing(rows.length - index)
    const path = `${visit.basePath}/works/${work.id}?texts=whole#viewing-${row.id}`
    const text = row.body === '' ? '' : comment(visit, row.body, { limit: textLimit(visit), path })
    const at = row.watched_at ?? row.created_at
    return html`<li class="viewing" id="viewing-${row.id}" data-viewing="${row.id}">
      <div class="byline"><b>${name}</b> ${watchedTime(visit, at, row.precision)} ${ratingMark(visit, row.rating_overall_state)}
      ${ownMenu(visit, { kind: 'viewing', id: row.id, name, swap: '#progress' })}</div>${text}</li>`
  })
  return html`<section><h2>${t.work.ownViewings}</h2><ul class="viewings">${items}</ul></section>`
}

// uses reviews_user
const viewingsOf = prepared((read, slot: SlotOf<{ user: number; work: number }>) =>
  read
    .selectFrom('reviews')
    .select(['id', 'body', 'rating_overall_state', 'watched_at', 'created_at'])
    .select(sql<Precision>`ifnull(watched_at_precision, 'time')`.as('precision'))
    .where('user_id', '=', slot('user'))
    .where('work_id', '=', slot('work'))
    .where(({ or, eb }) => or([eb('has_body', '=', 1), eb('watched_at', 'is not', null)]))
    .orderBy('id', 'desc')
    .limit(50),
)
