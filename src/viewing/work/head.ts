import { ratingStates } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { chosenTitle } from '../../pages/title'
import { actForm } from '../parts/act-form'
import { ratingMark, ratingText } from '../parts/rating-mark'
import { statusMenu } from '../parts/status'
import { again } from './next-box'
import { nameOf, type WorkView } from './view'

/** The title in the reader's title language, and the other titles in small print. */
export function workHead({ visit, work }: WorkView): Markup {
  const { text, lang } = chosenTitle(visit, work)
  const titles = [
    { text: work.title, lang: 'ja' },
    { text: work.title_en, lang: 'en' },
    { text: work.title_ro, lang: 'ja-Latn' },
  ]
  const shown = titles.find((one) => one.lang === lang)?.text
  const others = titles.filter((one, at) => {
    const isNew = titles.findIndex((other) => other.text === one.text) === at
    return one.text !== '' && one.text !== shown && isNew
  })
  const small = others.map(
    (one, at) => html`${at === 0 ? '' : ' · '}<span lang="${one.lang}">${one.text}</span>`,
  )
  return html`<header class="work-head"><h1 lang="${lang}">${text}</h1>${
    small.length === 0 ? '' : html`<p class="meta">${small}</p>`
  }</header>`
}

/** The status, one's own rating, and ⋯. */
export function statusLine(view: WorkView): Markup {
  const { visit, work, own } = view
  if (visit.session === undefined) return html``
  const of = {
    workId: work.id,
    title: nameOf(view),
    kind: own.kind ?? undefined,
    swap: '#progress, .of-series',
  }
  return html`<div class="buttons status-line">${statusMenu(visit, of)}${ratingMenu(view)}${workMenu(view)}</div>`
}

function workMenu(view: WorkView): Markup {
  const { visit, work, own, progress } = view
  const { t, basePath } = visit
  const hasBegun = progress.seenCount > 0
  return html`<details class="menu work-menu" name="menu"><summary class="button small" aria-label="${t.work.menuOf(nameOf(view))}">${icon('more')}</summary>
    <div class="entries"><a href="${basePath}/works/${work.id}?note=edit#note">${icon('pen')}${own.note === '' ? t.work.writeNote : t.work.editNote}</a>${
      hasBegun ? again(visit, work.id) : ''
    }${coverLinks(view)}</div></details>`
}

function coverLinks({ visit, work }: WorkView): Markup {
  const { t, basePath } = visit
  const link = (page: string, text: string) =>
    html`<a href="${basePath}/works/${work.id}/${page}">${icon('upload')}${text}</a>`
  const forAll = visit.session?.isAdmin ? link('shared_cover', t.work.changeSharedCover) : ''
  return html`${link('cover', t.work.changeCover)}${forAll}`
}

/** One's own rating of the whole: two taps. The first rating of a film is given with its viewing. */
function ratingMenu(view: WorkView): Markup {
  const { visit, work, own, progress } = view
  const { t } = visit
  const isSeries = progress.episodes.length > 0
  if (!isSeries && own.rating === null) return html``
  const choices = [...ratingStates].reverse().map((state, index) => {
    const key = isSeries ? html` data-keys="${index + 1}"` : ''
    return html`<button name="rating_state" value="${state}" aria-pressed="${String(state === own.rating)}"${key}>${icon(state, 16)}${ratingText(visit, state)}</button>`
  })
  const remove =
    own.rating === null ? '' : html`<hr /><button name="rating_state" value="">${t.ratings.remove}</button>`
  const form = { act: 'rating', path: '/rating', fields: { work_id: work.id }, swap: '#progress, .of-series' }
  const word = own.rating === null ? t.ratings.choose : ratingText(visit, own.rating)
  const chosen = own.rating === null ? word : ratingMark(visit, own.rating)
  return html`<details class="menu" name="menu">
    <summary class="button small" aria-label="${word}${t.common.colon}${t.ratings.of(nameOf(view))}" data-focus="rating-${work.id}">${chosen}${icon('down', 14)}</summary>
    <div class="entries">${actForm(visit, form, html`${choices}${remove}`)}</div>
  </details>`
}
