import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { editViewing } from '../../library/acts/viewing-acts'
import type { Precision } from '../../library/watched'
import { html } from '../../pages/html'
import { chosenTitle } from '../../pages/title'
import type { MemberVisit } from '../../web/visit'
import { defineEdit, type OwnRow } from './edit-route'

export const viewingEdit = defineEdit({
  kind: 'viewing',
  title: ({ t }, { watchedAt }) => (watchedAt === null ? t.work.editReview : t.work.editViewing),
  find: findViewing,
  save: ({ deps, session }, { id, text, ...edit }) =>
    editViewing(deps, session.userId, { reviewId: id, body: text, ...edit }),
})

async function findViewing(visit: MemberVisit, id: number): Promise<OwnRow | undefined> {
  const { deps, session } = visit
  const [row] = await ownViewing(deps.seen, { id, user: session.userId })
  if (row === undefined) return undefined
  const { text, lang } = chosenTitle(visit, row)
  return {
    id,
    text: row.body,
    rating: row.rating_overall_state,
    watchedAt: row.watched_at,
    precision: row.precision,
    // For a work with episodes, only viewings have times.
    isDatable: row.watched_at !== null || row.episodes_count === 0,
    subject: html`<span lang="${lang}">${text}</span>`,
    path: `/works/${row.work_id}`,
  }
}

const ownViewing = prepared((read, slot: SlotOf<{ id: number; user: number }>) =>
  read
    .selectFrom('reviews')
    .innerJoin('works', 'works.id', 'reviews.work_id')
    .select(['reviews.body', 'reviews.rating_overall_state', 'reviews.work_id'])
    .select(['reviews.watched_at', 'works.episodes_count'])
    .select(sql<Precision>`ifnull(reviews.watched_at_precision, 'none')`.as('precision'))
    .select(['works.title', 'works.title_en', 'works.title_ro'])
    .where('reviews.id', '=', slot('id'))
    .where('reviews.user_id', '=', slot('user')),
)
