import { sql } from 'kysely'
import { isOnlyOfItsNumber } from '../../catalogue/shown'
import { prepared, type SlotOf } from '../../db/prepared'
import { editRecord } from '../../library/acts/own-record-acts'
import type { Precision } from '../../library/watched'
import { html } from '../../pages/html'
import { chosenTitle } from '../../pages/title'
import type { MemberVisit } from '../../web/visit'
import { episodeName, episodePath } from '../parts/episode-name'
import { defineEdit, type OwnRow } from './edit-route'

export const recordEdit = defineEdit({
  kind: 'record',
  title: ({ t }) => t.episode.editRecord,
  find: findRecord,
  save: ({ deps, session }, { id, text, ...edit }) =>
    editRecord(deps, session.userId, { recordId: id, comment: text, ...edit }),
})

async function findRecord(visit: MemberVisit, id: number): Promise<OwnRow | undefined> {
  const { deps, session } = visit
  const [row] = await ownRecord(deps.seen, { id, user: session.userId })
  if (row === undefined) return undefined
  const { text, lang } = chosenTitle(visit, row)
  const path = episodePath({ ...visit, basePath: '' }, { ...row, id: row.episode_id })
  return {
    id,
    text: row.comment,
    rating: row.rating_state,
    watchedAt: row.watched_at,
    precision: row.precision,
    isDatable: true,
    subject: html`<span lang="${lang}">${text}</span> ${episodeName(visit, row)}`,
    path,
  }
}

const ownRecord = prepared((read, slot: SlotOf<{ id: number; user: number }>) =>
  read
    .selectFrom('records')
    .innerJoin('episodes', 'episodes.id', 'records.episode_id')
    .innerJoin('works', 'works.id', 'records.work_id')
    .select(['records.comment', 'records.rating_state', 'records.watched_at', 'records.episode_id'])
    .select([sql<Precision>`records.watched_at_precision`.as('precision'), isOnlyOfItsNumber.as('is_only')])
    .select(['records.work_id', 'episodes.number', 'episodes.number_text'])
    .select(['works.title', 'works.title_en', 'works.title_ro'])
    .where('records.id', '=', slot('id'))
    .where('records.user_id', '=', slot('user')),
)
