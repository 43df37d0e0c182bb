import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { ratingMark } from '../parts/rating-mark'
import { statusMenu } from '../parts/status'
import { again } from './next-box'
import type { WorkView } from './view'

/** The title, and the other ones small. */
export function workHead({ work }: WorkView): Markup {
  const others = [work.title_en, work.title_ro, work.title_kana]
    .filter((title, index, all) => title !== '' && title !== work.title && all.indexOf(title) === index)
    .slice(0, 2)
    .join(' · ')
  return html`<header class="work-head"><h1 lang="ja">${work.title}</h1>${
    others === '' ? '' : html`<p class="meta">${others}</p>`
  }</header>`
}

/** The status, one's own rating, and ⋯. */
export function statusLine(view: WorkView): Markup {
  const { visit, work, own } = view
  if (visit.session === undefined) return html``
  const of = { workId: work.id, title: work.title, kind: own.kind ?? undefined, swap: '#progress' }
  return html`<div class="buttons status-line">${statusMenu(visit, of)}${ratingMark(visit.pageContext, own.rating)}${workMenu(view)}</div>`
}

function workMenu({ visit, work, own, progress }: WorkView): Markup {
  const { t, basePath } = visit.pageContext
  const hasBegun = progress.seenCount > 0
  return html`<details class="menu work-menu" name="menu"><summary class="button small" aria-label="${t.work.menuOf(work.title)}">${icon('more')}</summary>
    <div class="entries"><a href="${basePath}/works/${work.id}?note=edit#note">${icon('pen')}${own.note === '' ? t.work.writeNote : t.work.editNote}</a>${
      hasBegun ? again(visit, work.id) : ''
    }</div></details>`
}
