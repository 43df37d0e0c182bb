import { statusKinds } from '../../library/statuses'
import { html, type Markup } from '../../pages/html'
import type { MemberVisit } from '../../web/visit'
import { actForm } from './act-form'

/** What `u`, and `s` with a digit, press for the chosen row of a list: rows have no room for these buttons. */
export function actsByKey(visit: MemberVisit): Markup {
  const { t } = visit
  const buttons = statusKinds.map(
    (kind) => html`<button name="kind" value="${kind}">${t.statuses[kind]}</button>`,
  )
  const form = { act: 'status', path: '/status', fields: { work_id: '' }, swap: '#today' }
  const aired = { act: 'aired', path: '/record/aired', fields: { work_id: '' }, swap: '#today' }
  const catchUp = html`<button data-keys="u">${t.keys.upTo}</button>`
  return html`<div data-for-row hidden>${actForm(visit, form, html`${buttons}`)}${actForm(visit, aired, catchUp)}</div>`
}
