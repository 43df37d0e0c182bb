import { html, type Markup } from '../../pages/html'
import { viewingForm } from '../viewing/form'
import { viewingStart } from '../viewing/proposed'
import type { WorkView } from './view'

/** For a work without episodes (D60): the form of a viewing. */
export async function viewingBox({ visit, work }: WorkView): Promise<Markup> {
  const { t, basePath } = visit.pageContext
  const { session } = visit
  if (session === undefined)
    return html`<div class="box next-box"><p>${t.work.forMembers}</p><a class="button filled wide" href="${basePath}/sign_in">${t.signIn.title}</a></div>`
  const { times, texts } = await viewingStart({ ...visit, session }, work.id)
  return viewingForm({ ...visit, session }, { ...work, times }, texts)
}
