import { sql } from 'kysely'
import { isOnlyOfItsNumber } from '../../catalogue/shown'
import { prepared, type SlotOf } from '../../db/prepared'
import { textOrBlank } from '../../http/request-values'
import type { Act } from '../../library/acts/act'
import { editRecord } from '../../library/acts/own-record-acts'
import { editViewing } from '../../library/acts/viewing-acts'
import type { PressedRating } from '../../library/ratings'
import { watchedText as keptDate, type Precision, type WatchedColumns } from '../../library/watched'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { watchedTime } from '../../pages/partial-date'
import { chosenTitle } from '../../pages/title'
import { anyText } from '../../values/text'
import { definePage, member, type PageRoute } from '../../web/page'
import { FormProblem, pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { defineAct, impression, watchedText, whenChoice } from '../acts/act-route'
import { watchedBy } from '../acts/record'
import { episodeName, episodePath } from '../parts/episode-name'
import { type OpinionTexts, typedOpinion } from '../parts/opinion-texts'
import { markSaid, privateValues } from '../parts/private-mark'
import type { Rated } from '../parts/rating'
import { ratingSaid, ratingTexts, ratingValues } from '../parts/rating-form'
import { type EditedOpinion, editForm } from './edit-form'

/** What is being edited; times are epoch milliseconds. */
interface OwnRow {
  readonly id: number
  readonly text: string
  readonly rated: Rated
  /** Null for a review that is not a viewing. */
  readonly watchedAt: number | null
  readonly precision: Precision
  readonly isDatable: boolean
  readonly isPrivate: boolean
  readonly subject: Markup
  /** The page that shows it, without the base path. */
  readonly path: string
}

export interface Edit extends PressedRating {
  readonly id: number
  readonly text: string
  /** Undefined leaves it unchanged. */
  readonly watched: WatchedColumns | undefined
  /** The same. */
  readonly isPrivate: boolean | undefined
}

interface EditedKind {
  readonly kind: 'record' | 'viewing'
  title(visit: MemberVisit, row: OwnRow): string
  /** Undefined if it does not exist or is somebody else's. */
  find(visit: MemberVisit, id: number): Promise<OwnRow | undefined>
  save(visit: MemberVisit, edit: Edit): Promise<Act>
}

const whenValues = { watched_at: watchedText, precision: whenChoice }

/** `/records/501/edit`: the page and the action of its form. */
function defineEdit(edited: EditedKind): readonly PageRoute[] {
  const path = `/${edited.kind}s/:id/edit`
  return [
    definePage({
      path,
      access: member,
      show: async (visit) => {
        const row = await findRow(edited, visit)
        return page(edited, visit, row, textsOf(visit, row))
      },
    }),
    defineAct({
      path,
      values: {
        comment: impression,
        was: anyText,
        ...ratingValues,
        ...whenValues,
        ...privateValues,
      },
      run: async (visit, { comment, was, watched_at, precision, ...values }, sent) => {
        const { text } = await findRow(edited, visit)
        if (was !== '' && was !== markOf(text) && text !== comment)
          throw new FormProblem('was', (t) => t.sheet.changedElsewhere)
        const watched = precision === undefined ? undefined : watchedBy(visit, { watched_at, precision })
        const edit = { id: pathId(visit), text: comment, ...ratingSaid(visit, values, sent), watched }
        return edited.save(visit, { ...edit, isPrivate: markSaid(values) })
      },
      refuse: async (visit, problem, sent) => {
        const row = await findRow(edited, visit)
        const texts = { ...typedOpinion(sent), return_to: row.path, problem: problem.text(visit.t) }
        const isElsewhere = problem.field === 'was'
        const was = isElsewhere ? markOf(row.text) : textOrBlank(sent, 'was')
        const now = isElsewhere ? row.text : undefined
        return { ...page(edited, visit, row, texts, { was, now }), status: problem.status }
      },
    }),
  ]
}

async function findRow(edited: EditedKind, visit: MemberVisit): Promise<OwnRow> {
  const row = await edited.find(visit, pathId(visit))
  if (row === undefined) throw pageNotFound()
  return row
}

const textsOf = (
  visit: MemberVisit,
  { text, rated, path, watchedAt, precision, isPrivate }: OwnRow,
): OpinionTexts => ({
  comment: text,
  ...ratingTexts(visit, rated),
  watched_at: precision === 'time' || watchedAt === null ? '' : (keptDate(watchedAt, precision) ?? ''),
  precision: '',
  return_to: path,
  isPrivate,
})

/** Tells whether a text is still the one that the form showed: another tab or program may have changed it since. */
const markOf = (text: string): string => Bun.hash(text).toString(36)

function page(
  edited: EditedKind,
  visit: MemberVisit,
  row: OwnRow,
  texts: OpinionTexts,
  stored: Pick<EditedOpinion, 'was' | 'now'> = { was: markOf(row.text) },
): PageContent {
  const title = edited.title(visit, row)
  const time =
    row.watchedAt === null ? html`${visit.t.work.noDate}` : watchedTime(visit, row.watchedAt, row.precision)
  const form = {
    act: `edit_${edited.kind}`,
    path: `/${edited.kind}s/${row.id}/edit`,
    title,
    subject: row.subject,
    time: row.isDatable ? time : undefined,
    ...stored,
  }
  return { title, main: editForm(visit, form, texts), place: 'find' }
}

export const recordEdit = defineEdit({
  kind: 'record',
  title: ({ t }) => t.episode.editRecord,
  find: findRecord,
  save: ({ deps, session }, { id, text, ...edit }) =>
    editRecord(deps, session.userId, { recordId: id, comment: text, ...edit }),
})

/** The work, and the episode, of one's own record or viewing; undefined if there is none. */
export async function subjectOfOwn(
  visit: MemberVisit,
  kind: EditedKind['kind'],
  id: number,
): Promise<Markup | undefined> {
  const row = await (kind === 'record' ? findRecord(visit, id) : findViewing(visit, id))
  return row?.subject
}

async function findRecord(visit: MemberVisit, id: number): Promise<OwnRow | undefined> {
  const { deps, session } = visit
  const [row] = await ownRecord(deps.seen, { id, user: session.userId })
  if (row === undefined) return undefined
  const { text, lang } = chosenTitle(visit, row)
  const path = episodePath({ ...visit, basePath: '' }, { ...row, id: row.episode_id })
  return {
    id,
    text: row.comment,
    rated: { rating: row.rating_state, score: row.score },
    watchedAt: row.watched_at,
    precision: row.precision,
    isDatable: true,
    isPrivate: row.private === 1,
    subject: html`<span lang="${lang}">${text}</span> ${episodeName(visit, row)}`,
    path,
  }
}

const ownRecord = prepared((read, slot: SlotOf<{ id: number; user: number }>) =>
  read
    .selectFrom('records')
    .innerJoin('episodes', 'episodes.id', 'records.episode_id')
    .innerJoin('works', 'works.id', 'records.work_id')
    .select([
      'records.comment',
      'records.rating_state',
      'records.score',
      'records.watched_at',
      'records.episode_id',
      'records.private',
    ])
    .select([sql<Precision>`records.watched_at_precision`.as('precision'), isOnlyOfItsNumber.as('is_only')])
    .select(['records.work_id', 'episodes.number', 'episodes.number_text'])
    .select(['works.title', 'works.title_en', 'works.title_ro'])
    .where('records.id', '=', slot('id'))
    .where('records.user_id', '=', slot('user')),
)

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
    rated: { rating: row.rating_overall_state, score: row.score },
    watchedAt: row.watched_at,
    precision: row.precision,
    // For a work with episodes, only viewings have times.
    isDatable: row.watched_at !== null || row.episodes_count === 0,
    isPrivate: row.private === 1,
    subject: html`<span lang="${lang}">${text}</span>`,
    path: `/works/${row.work_id}`,
  }
}

const ownViewing = prepared((read, slot: SlotOf<{ id: number; user: number }>) =>
  read
    .selectFrom('reviews')
    .innerJoin('works', 'works.id', 'reviews.work_id')
    .select(['reviews.body', 'reviews.rating_overall_state', 'reviews.score'])
    .select(['reviews.work_id', 'reviews.private'])
    .select(['reviews.watched_at', 'works.episodes_count'])
    .select(sql<Precision>`ifnull(reviews.watched_at_precision, 'none')`.as('precision'))
    .select(['works.title', 'works.title_en', 'works.title_ro'])
    .where('reviews.id', '=', slot('id'))
    .where('reviews.user_id', '=', slot('user')),
)
