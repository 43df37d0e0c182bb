import { html, type Markup } from '../../pages/html'
import { queryText } from '../../web/visit'
import { actForm } from '../parts/act-form'
import type { WorkView } from './view'

/** Visible only to its author. */
export function privateNote({ visit, work, own }: WorkView): Markup {
  const { t, basePath } = visit
  if (visit.session === undefined) return html``
  if (queryText(visit, 'note') === 'edit') return noteForm(visit, work.id, own.note)
  if (own.note === '') return html``
  return html`<section class="own-note" id="note"><h2>${t.work.note} <small>${t.work.notePrivate}</small></h2><p class="comment">${own.note}</p>
    <a class="button small" href="${basePath}/works/${work.id}?note=edit#note">${t.work.editNote}</a></section>`
}

function noteForm(visit: WorkView['visit'], work_id: number, text: string): Markup {
  const { t, basePath } = visit
  const fields = { work_id }
  const form = { act: 'note', path: '/notes', fields, returnTo: `/works/${work_id}`, isLong: true } as const
  return html`<section class="own-note" id="note"><h2><label for="note-text">${t.work.note}</label> <small>${t.work.notePrivate}</small></h2>${actForm(
    visit,
    form,
    html`<textarea id="note-text" name="text" rows="4" autofocus>${'\n'}${text}</textarea>
    <div class="buttons"><button>${t.common.save}</button><a class="button quiet" href="${basePath}/works/${work_id}">${t.common.cancel}</a></div>`,
  )}</section>`
}
