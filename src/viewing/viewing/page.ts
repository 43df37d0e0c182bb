import { type RawValues, textOrBlank } from '../../http/request-values'
import { html } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { chosenTitle } from '../../pages/title'
import { definePage, member } from '../../web/page'
import type { FormProblem } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText } from '../../web/visit'
import { cover, workPath } from '../parts/cover'
import { typedOpinion } from '../parts/opinion-texts'
import { seasonName } from '../parts/season'
import { mediumName } from '../work/facts'
import { findWork, type ShownWork } from '../work/view'
import { type ViewingTexts, viewingForm, viewingStart } from './form'

/**
 * Logs a viewing from a list of works; the script shows it in a dialog over the list. `return_to`: the page to return
 * to, by default the work's.
 */
export const viewingPage = definePage({
  path: '/works/:id/viewing',
  access: member,
  show: async (visit) => {
    const work = await findWork(visit)
    return await page(visit, work, { return_to: queryText(visit, 'return_to') })
  },
})

/** Shows the form again with what was typed and its problem. */
export async function viewingWithProblem(
  visit: MemberVisit,
  problem: FormProblem,
  sent: RawValues,
): Promise<PageContent> {
  const work = await findWork({ ...visit, params: { id: textOrBlank(sent, 'work_id') } })
  const texts = { ...typedOpinion(sent), problem: problem.text(visit.t) }
  const shown = await page(visit, work, { return_to: textOrBlank(sent, 'return_to'), texts })
  return { ...shown, status: problem.status }
}

interface Sent {
  readonly return_to: string
  readonly texts?: ViewingTexts
}

async function page(visit: MemberVisit, work: ShownWork, { return_to, texts }: Sent): Promise<PageContent> {
  const { deps, t, basePath } = visit
  const { text, lang } = chosenTitle(visit, work)
  const start = await viewingStart(visit, work.id)
  const path = safeReturn(return_to || `/works/${work.id}`, deps.config.baseUrl)
  const form = {
    returnTo: path,
    takesFocus: true,
    ...(path.startsWith('/search?') && { focusNext: 'search' as const }),
  }
  const main = html`<div class="sheet-page">
    <div class="sheet-head">
      ${cover(visit, work, 40)}
      <div class="text">
        <h1><a href="${workPath(visit, work.id)}"><span lang="${lang}">${text}</span></a></h1>
        <p class="meta">${seasonName(visit, work)} · ${mediumName(visit, work.media)}</p>
      </div>
      <a class="close" href="${basePath}${path}" aria-label="${t.common.close}">${icon('close')}</a>
    </div>
    ${viewingForm(visit, { ...work, times: start.times }, texts ?? start.texts, form)}
  </div>`
  return { title: t.work.logOf(text), main, place: 'find' }
}
