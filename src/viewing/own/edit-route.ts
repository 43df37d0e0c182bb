import { sql } from 'kysely'
import { isOnlyOfItsNumber } from '../../catalogue/shown'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Act } from '../../library/acts/act'
import { editRecord } from '../../library/acts/own-record-acts'
import { editViewing } from '../../library/acts/viewing-acts'
import type { RatingState } from '../../library/ratings'
import { watchedText as keptDate, type Precision, type WatchedColumns } from '../../library/watched'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { watchedTime } from '../../pages/partial-date'
import { chosenTitle } from '../../pages/title'
import { definePage, member, type PageRoute } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { defineAct, impression, ratingState, watchedText, whenChoice } from '../acts/act-route'
import { watchedBy } from '../acts/record'
import { actForm } from '../parts/act-form'
import { episodeName, episodePath } from '../parts/episode-name'
import { type OpinionTexts, typedOpinion } from '../parts/opinion-texts'
import { markSaid, privateBox, privateValues } from '../parts/private-mark'
import { ratingFaces } from '../parts/rating'

/** What is being edited; times are epoch milliseconds. */
interface OwnRow {
  readonly id: number
  readonly text: string
  readonly rating: string | null
  /** Null for a review that is not a viewing. */
  readonly watchedAt: number | null
  readonly precision: Precision
  readonly isDatable: boolean
  readonly isPrivate: boolean
  readonly subject: Markup
  /** The page that shows it, without the base path. */
  readonly path: string
}

export interface Edit {
  readonly id: number
  readonly text: string
  readonly ratingState: RatingState | null
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
        return page(edited, visit, row, textsOf(row))
      },
    }),
    defineAct({
      path,
      values: { comment: impression, rating_state: ratingState, ...whenValues, ...privateValues },
      run: (visit, { comment, rating_state, watched_at, precision, ...mark }) => {
        const watched = precision === undefined ? undefined : watchedBy(visit, { watched_at, precision })
        const edit = { id: pathId(visit), text: comment, ratingState: rating_state, watched }
        return edited.save(visit, { ...edit, isPrivate: markSaid(mark) })
      },
      refuse: async (visit, problem, sent) => {
        const row = await findRow(edited, visit)
        const texts = { ...typedOpinion(sent), return_to: row.path, problem: problem.text(visit.t) }
        return { ...page(edited, visit, row, texts), status: problem.status }
      },
    }),
  ]
}

async function findRow(edited: EditedKind, visit: MemberVisit): Promise<OwnRow> {
  const row = await edited.find(visit, pathId(visit))
  if (row === undefined) throw pageNotFound()
  return row
}

const textsOf = ({ text, rating, path, watchedAt, precision, isPrivate }: OwnRow): OpinionTexts => ({
  comment: text,
  rating_state: rating ?? '',
  watched_at: precision === 'time' || watchedAt === null ? '' : (keptDate(watchedAt, precision) ?? ''),
  precision: '',
  return_to: path,
  isPrivate,
})

function page(edited: EditedKind, visit: MemberVisit, row: OwnRow, texts: OpinionTexts): PageContent {
  const title = edited.title(visit, row)
  const time =
    row.watchedAt === null ? html`${visit.t.work.noDate}` : watchedTime(visit, row.watchedAt, row.precision)
  const form = {
    act: `edit_${edited.kind}`,
    path: `/${edited.kind}s/${row.id}/edit`,
    title,
    subject: row.subject,
    time: row.isDatable ? time : undefined,
  }
  return { title, main: editForm(visit, form, texts), place: 'find' }
}

interface Edited {
  readonly act: string
  readonly path: string
  readonly title: string
  readonly subject: Markup
  /** When it was watched, as stored; undefined if it cannot have a time. */
  readonly time: Markup | undefined
}

/** Edits one's own record or viewing. */
function editForm(visit: MemberVisit, edited: Edited, texts: OpinionTexts): Markup {
  const { t, basePath } = visit
  const { act, path, title, subject, time } = edited
  const body = html`${ratingFaces(visit, texts.rating_state)}
    <label class="check"><input type="radio" name="rating_state" value=""${texts.rating_state === '' ? html` checked` : ''} />${t.episode.noRating}</label>
    <label for="comment">${t.sheet.comment}</label>
    <textarea id="comment" name="comment" rows="5" maxlength="10000">${'\n'}${texts.comment}</textarea>
    ${time === undefined ? '' : when(visit, time, texts)}
    ${privateBox(t, texts.isPrivate)}
    <div class="buttons"><button class="filled">${t.common.save}</button><a class="button" href="${basePath}${texts.return_to}">${t.common.cancel}</a></div>`
  const problem =
    texts.problem === undefined ? '' : html`<div class="problems" role="alert"><p>${texts.problem}</p></div>`
  return html`<a class="back" href="${basePath}${texts.return_to}">${icon('back', 16)}${subject}</a><h1>${title}</h1>
    <div class="edit">${problem}${actForm(visit, { act, path, returnTo: texts.return_to, swap: 'main', isLong: true }, body)}</div>`
}

function when({ t }: MemberVisit, time: Markup, texts: OpinionTexts): Markup {
  const chip = (value: string, label: string | Markup) =>
    html`<label class="chip"><input type="radio" name="precision" value="${value}"${value === texts.precision ? html` checked` : ''} /><span>${label}</span></label>`
  return html`<fieldset class="chips when"><legend>${t.sheet.when}</legend>
      ${chip('', time)}${chip('date', t.sheet.date)}${chip('none', t.sheet.unknown)}
      <div class="date">
        <input type="text" name="watched_at" value="${texts.watched_at}" inputmode="numeric" autocomplete="off" aria-label="${t.sheet.date}" aria-describedby="date-hint" placeholder="2019" />
        <p class="hint" id="date-hint">${t.sheet.dateHint}</p>
      </div>
    </fieldset>`
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
    rating: row.rating_state,
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
    rating: row.rating_overall_state,
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
    .select(['reviews.body', 'reviews.rating_overall_state', 'reviews.work_id', 'reviews.private'])
    .select(['reviews.watched_at', 'works.episodes_count'])
    .select(sql<Precision>`ifnull(reviews.watched_at_precision, 'none')`.as('precision'))
    .select(['works.title', 'works.title_en', 'works.title_ro'])
    .where('reviews.id', '=', slot('id'))
    .where('reviews.user_id', '=', slot('user')),
)
