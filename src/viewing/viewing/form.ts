import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { type Precision, watchedText } from '../../library/watched'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { privateBox } from '../parts/private-mark'
import { bestFirst, noRating, type RatingTexts, ratingChoice } from '../parts/rating-form'

/** What was typed or is proposed; `problem` is what is wrong with it. */
export interface ViewingTexts extends RatingTexts {
  readonly precision: string
  readonly watched_at: string
  readonly comment: string
  readonly isPrivate: boolean
  readonly problem?: string
}

interface ViewedWork {
  readonly id: number
  readonly season_year: number | null
  readonly times: number
}

interface Sent {
  readonly returnTo?: string
  /** Where the focus moves after saving. */
  readonly focusNext?: 'search'
  readonly takesFocus?: boolean
}

/** For a work without episodes (D60): when it was seen, and a face, which saves at once. */
export function viewingForm(
  visit: MemberVisit,
  work: ViewedWork,
  texts: ViewingTexts,
  { takesFocus = false, ...sent }: Sent = {},
): Markup {
  const { t } = visit
  const form = { act: 'viewing', path: '/viewing', fields: { work_id: work.id }, swap: swapped(work.id) }
  const log = work.times === 0 ? t.work.logViewing : t.work.logAgain(work.times + 1)
  const body = html`${enterButton}${dates(visit, work, { ...texts, takesFocus })}
    <details${texts.comment === '' ? '' : html` open`}><summary>${t.work.addComment}</summary><textarea name="comment" rows="3" maxlength="10000" aria-label="${t.sheet.comment}">${'\n'}${texts.comment}</textarea></details>
    ${privateBox(t, texts.isPrivate)}
    ${visit.preferences.ratingDisplay === 'words' ? faces(visit) : ratingChoice(visit, texts)}
    <button class="filled wide" data-focus="viewing">${icon('check')}${log}</button>`
  return html`<div class="box next-box" id="viewing"><h2>${work.times === 0 ? t.work.whenSeen : t.work.seenAgain(work.times)}</h2><p class="meta">${t.work.oneViewing}</p>${problemBox(texts)}${actForm(
    visit,
    { ...form, ...sent, isLong: true },
    body,
  )}</div>`
}

/** Fragments that a viewing changes on the pages with the form; `#viewing` is for refusals. */
const swapped = (workId: number) => `#row-${workId}, #progress, #viewing`

/** Enter in the date field presses a form's first button, which would otherwise be the best rating. */
const enterButton = html`<button class="for-enter" tabindex="-1" aria-hidden="true"></button>`

const problemBox = ({ problem }: ViewingTexts): Markup | '' =>
  problem === undefined
    ? ''
    : html`<div class="problems" role="alert" id="viewing-problem"><p>${problem}</p></div>`

function dates(
  { t, now }: PageContext,
  { season_year: year }: ViewedWork,
  texts: ViewingTexts & { readonly takesFocus: boolean },
): Markup {
  const isWrong = texts.problem !== undefined && texts.precision === 'date'
  const focus = texts.takesFocus && !isWrong ? html` checked autofocus` : html` checked`
  const chip = (value: string, label: string) =>
    html`<label class="chip"><input type="radio" name="precision" value="${value}"${value === texts.precision ? focus : ''} />${label}</label>`
  // The year of release, for those who saw it then.
  const wasThen = year !== null && year < new Date(now).getUTCFullYear()
  const wrong =
    texts.problem === undefined
      ? html` aria-describedby="date-hint"`
      : html` aria-invalid="true" aria-describedby="viewing-problem date-hint"${isWrong ? html` autofocus` : ''}`
  return html`<fieldset class="seen-when">
      <legend>${t.sheet.when}</legend>
      <div class="chips">${chip('time', t.work.now)}${wasThen ? chip('aired', String(year)) : ''}${chip('date', t.work.pickDate)}${chip('none', t.sheet.unknown)}</div>
      <label class="date">${t.sheet.date}<input name="watched_at" value="${texts.watched_at}" data-focus="viewing" autocomplete="off" inputmode="numeric" placeholder="2019"${wrong} /><small id="date-hint">${t.work.dateHint}</small></label>
    </fieldset>`
}

/** Each saves at once. */
const faces = ({ t }: PageContext): Markup =>
  html`<div class="faces" role="group" aria-label="${t.ratings.title}">${bestFirst.map(
    (state, at) =>
      html`<button class="face ${state}" name="rating_state" value="${state}" data-keys="${at + 1}">${icon(state, 28)}<span>${t.ratings[state]}</span></button>`,
  )}</div>`

const hour = 3_600_000

interface ViewingStart {
  /** How often the member has seen the work. */
  readonly times: number
  readonly texts: ViewingTexts
}

/** Proposes the date of the viewing logged just before, for members who are entering a list of films. */
export async function viewingStart({ deps, session }: MemberVisit, workId: number): Promise<ViewingStart> {
  const user = session.userId
  const [row] = await timesSeen(deps.seen, { user, work: workId })
  const [last] = await lastViewing(deps.seen, { user, since: deps.now() - hour })
  const isPrivate = row?.private_by_default === 1
  const texts = { comment: '', ...noRating, isPrivate, ...(last === undefined ? today : dateOf(last)) }
  return { times: row?.times ?? 0, texts }
}

const today = { precision: 'time', watched_at: '' }

interface LastViewing {
  readonly at: number
  readonly precision: Precision
  readonly season_year: number | null
}

function dateOf({ at, precision, season_year }: LastViewing) {
  if (precision === 'time') return today
  const text = watchedText(at, precision) ?? ''
  if (precision === 'none') return { precision, watched_at: '' }
  // Seen in the year of release: the next work may have another one.
  if (precision === 'year' && text === String(season_year)) return { precision: 'aired', watched_at: text }
  return { precision: 'date', watched_at: text }
}

// uses reviews_user
const lastViewing = prepared((read, slot: SlotOf<{ user: number; since: number }>) =>
  read
    .selectFrom('reviews')
    .innerJoin('works', 'works.id', 'reviews.work_id')
    .select([sql<number>`watched_at`.as('at'), sql<Precision>`watched_at_precision`.as('precision')])
    .select('season_year')
    .where('user_id', '=', slot('user'))
    .where('reviews.created_at', '>', slot('since'))
    .where('watched_at', 'is not', null)
    .orderBy('reviews.id', 'desc')
    .limit(1),
)

// uses reviews_user
const timesSeen = prepared((read, slot: SlotOf<{ user: number; work: number }>) =>
  read
    .selectFrom('reviews')
    .select(({ fn }) => fn.countAll<number>().as('times'))
    .select(
      sql<number>`(select private_by_default from users where users.id = ${slot('user')})`.as(
        'private_by_default',
      ),
    )
    .where('user_id', '=', slot('user'))
    .where('work_id', '=', slot('work'))
    .where('watched_at', 'is not', null),
)
