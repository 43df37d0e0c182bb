import { html } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { definePage, member } from '../../web/page'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover } from '../parts/cover'
import { privateBox } from '../parts/private-mark'
import { statusChoices } from '../parts/status'
import { findWork, ownState } from '../work/view'

/** Changes the status of a work, for lists without room for a menu. `return_to`: the page to return to. */
export const statusPage = definePage({ path: '/works/:id/status', access: member, show: showStatus })

async function showStatus(visit: MemberVisit): Promise<PageContent> {
  const { deps, session, t } = visit
  const work = await findWork(visit)
  const { kind, private: mark } = await ownState(deps.seen, session.userId, work.id)
  const returnTo = safeReturn(queryText(visit, 'return_to'), deps.config.baseUrl)
  const swap = `#row-${work.id}, #filters`
  const form = { act: 'status', path: '/status', fields: { work_id: work.id }, swap, returnTo }
  const remove = html`<button name="kind" value="no_select">${t.statuses.remove}</button>`
  const main = html`<div class="choose-status">
    <h1 class="unseen">${t.statuses.of(chosenTitle(visit, work).text)}</h1>
    <div class="subject">${cover(visit, work, 32)}${titleMarkup(visit, work)}</div>
    ${actForm(visit, form, html`${privateBox(t, mark === 1)}<div class="choices">${statusChoices(t, kind)}${kind === null ? '' : remove}</div>`)}
  </div>`
  return { title: t.statuses.of(chosenTitle(visit, work).text), main, place: 'find' }
}
