import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import type { OpinionTexts } from '../parts/opinion-texts'
import { privateBox } from '../parts/private-mark'
import { ratingChoice } from '../parts/rating-form'

export interface EditedOpinion {
  readonly act: string
  readonly path: string
  readonly title: string
  readonly subject: Markup
  /** When it was watched, as stored; undefined if it cannot have a time. */
  readonly time: Markup | undefined
  /** Of the text that is being replaced. */
  readonly was: string
  /** What it says now, if it was changed elsewhere meanwhile; saving again replaces it. */
  readonly now?: string | undefined
}

/** Edits one's own record or viewing. */
export function editForm(visit: MemberVisit, edited: EditedOpinion, texts: OpinionTexts): Markup {
  const { t, basePath } = visit
  const { act, path, title, subject, time, was, now } = edited
  const body = html`${ratingChoice(visit, texts, { isEdit: true })}
    <label for="comment">${t.sheet.comment}</label>
    <textarea id="comment" name="comment" rows="5" maxlength="10000">${'\n'}${texts.comment}</textarea>
    ${time === undefined ? '' : when(visit, time, texts)}
    ${privateBox(t, texts.isPrivate)}
    <div class="buttons"><button class="filled">${t.common.save}</button><a class="button" href="${basePath}${texts.return_to}">${t.common.cancel}</a></div>`
  const problem =
    texts.problem === undefined
      ? ''
      : html`<div class="problems" role="alert"><p>${texts.problem}</p>${now === undefined ? '' : html`<p class="comment" dir="auto">${now}</p>`}</div>`
  return html`<a class="back" href="${basePath}${texts.return_to}">${icon('back', 16)}${subject}</a><h1>${title}</h1>
    <div class="edit">${problem}${actForm(visit, { act, path, fields: { was }, returnTo: texts.return_to, swap: 'main', isLong: true }, body)}</div>`
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
