import { type RatingState, ratingStates } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { actForm } from '../parts/act-form'
import { ratingText } from '../parts/rating-mark'
import type { WorkView } from './view'

/** For a work without episodes (D60): when it was seen, and a face, which saves at once. */
export function viewingBox({ visit, work, refused }: WorkView): Markup {
  const { t, basePath } = visit.pageContext
  if (visit.session === undefined)
    return html`<div class="box next-box"><p>${t.work.forMembers}</p><a class="button filled wide" href="${basePath}/sign_in">${t.signIn.title}</a></div>`
  const form = { act: 'viewing', path: '/viewing', fields: { work_id: work.id }, swap: '#progress' }
  const body = html`${enterButton}<fieldset class="seen-when">
      <legend>${t.work.when}</legend>
      <div class="chips">${choices(visit.pageContext, work.season_year, refused?.precision)}</div>
      <label class="date">${t.work.date}<input name="watched_at" value="${refused?.watched_at ?? ''}" data-focus="viewing" autocomplete="off" inputmode="numeric" placeholder="2019-03-05" aria-describedby="date-hint"${refused === undefined ? '' : html` aria-invalid="true" aria-errormessage="viewing-problem" autofocus`} /><small id="date-hint">${t.work.dateHint}</small></label>
    </fieldset>${refused === undefined ? '' : html`<p class="problem" id="viewing-problem" role="alert">${refused.problem}</p>`}
    <div class="faces" role="group" aria-label="${t.ratings.title}">${faces(visit.pageContext)}</div>
    <details${refused?.comment ? html` open` : ''}><summary>${t.work.addComment}</summary><textarea name="comment" rows="3" aria-label="${t.work.comment}">${'\n'}${refused?.comment ?? ''}</textarea></details>
    <button class="filled wide" data-focus="viewing">${icon('check')}${t.work.logViewing}</button>`
  return html`<div class="box next-box"><h2>${t.work.whenSeen}</h2><p class="meta">${t.work.oneViewing}</p>${actForm(visit, form, body)}</div>`
}

/** What Enter in the date presses: the first button of a form, which else were the best rating. */
const enterButton = html`<button class="for-enter" tabindex="-1" aria-hidden="true"></button>`

type Context = WorkView['visit']['pageContext']

/** `aired` is the year it came out, for those who saw it then. */
function choices({ t, now }: Context, year: number | null, chosen = 'time'): Markup[] {
  const chip = (value: string, label: string) =>
    html`<label class="chip"><input type="radio" name="precision" value="${value}"${value === chosen ? html` checked` : ''} />${label}</label>`
  const wasThen = year !== null && year < new Date(now).getUTCFullYear()
  return [
    chip('time', t.work.now),
    ...(wasThen ? [chip('aired', String(year))] : []),
    chip('date', t.work.pickDate),
    chip('none', t.work.unknownDate),
  ]
}

const faces = (pageContext: Context): Markup[] =>
  bestFirst.map((state) => face(ratingText(pageContext, state), state))

const face = (word: string, state: RatingState): Markup =>
  html`<button class="face ${state}" name="rating_state" value="${state}">${icon(state, 28)}<span>${word}</span></button>`

const bestFirst = [...ratingStates].reverse()
