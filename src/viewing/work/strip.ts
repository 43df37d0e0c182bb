import { maxEpisodes } from '../../library/next-episode'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { queryText } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { shortNumber } from '../parts/episode-name'
import { stripCell } from './strip-cell'
import type { WorkView } from './view'

const pageSize = 50

/** The episodes as cells, 50 at a time: those around the next one, or those named by `?episodes=151-200`. */
export function episodeStrip(view: WorkView): Markup {
  const { visit, progress } = view
  const { episodes } = progress
  if (episodes.length === 0) return html``
  const page = shownPage(view)
  const cells = episodes
    .slice(page * pageSize, (page + 1) * pageSize)
    .map((episode, index) => stripCell(view, episode, page * pageSize + index))
  const rows = episodes.length % 13 === 0 ? ' by-13' : ''
  const list = html`<ol class="strip${rows}">${cells}</ol>`
  const form = { act: 'up_to', path: '/record/up_to', swap: '#progress' }
  return html`<section class="episodes">
    <div class="head"><h2>${visit.t.strip.title} ${extent(view)}</h2>${pager(view, page)}</div>
    ${visit.session === undefined ? list : actForm(visit, form, list)}
    ${visit.session === undefined ? '' : below(view)}
  </section>`
}

/** How many episodes there are, or which numbers a later cour has; and how far the reader is. */
function extent({ visit, work, own, progress }: WorkView): Markup {
  const { t } = visit
  const { episodes, seenCount, isEstimated } = progress
  const [first, last] = [episodes.at(0), episodes.at(-1)]
  const isLater = first?.number != null && Number(first.number) > 1
  const range = isLater && last ? t.strip.range(shortNumber(first), shortNumber(last)) : ''
  const size = isEstimated
    ? html`<span class="estimated">${estimatedSize({ visit, work, progress })}</span>`
    : ''
  const lap = own.lap === 1 ? '' : html`<small>${t.strip.lap(own.lap)}</small>`
  const done = seenCount === 0 ? '' : html`<small>${t.strip.progress(seenCount, episodes.length)}</small>`
  return html`${range} ${size} ${lap} ${done}`
}

/** How many episodes a list that no source lists has: about, if their number is estimated, else at least (D99). */
export const estimatedSize = ({ visit: { t }, work, progress }: ListView): string =>
  (work.is_counted === 1 ? t.strip.about : t.strip.atLeast)(progress.episodes.length)

type ListView = Pick<WorkView, 'visit' | 'work' | 'progress'>

function shownPage({ visit, progress }: WorkView): number {
  const { episodes, nextAt } = progress
  const last = Math.ceil(episodes.length / pageSize) - 1
  const [, named] = /^(\d{1,5})(?:-\d{1,5})?$/.exec(queryText(visit, 'episodes')) ?? []
  const place = named === undefined ? placeOfInterest(nextAt, episodes.length) : Number(named) - 1
  return Math.min(last, Math.max(0, Math.floor(place / pageSize)))
}

const placeOfInterest = (nextAt: number, count: number) => (nextAt < 0 ? count - 1 : nextAt)

function pager({ visit, work, progress }: WorkView, page: number): Markup {
  const { basePath, t } = visit
  const { episodes } = progress
  const pages = Math.ceil(episodes.length / pageSize)
  if (pages < 2) return html``
  const path = (at: number) => {
    const last = Math.min(episodes.length, (at + 1) * pageSize)
    return `${basePath}/works/${work.id}?episodes=${at * pageSize + 1}-${last}`
  }
  const name = (at: number) => {
    const [first, last] = [
      episodes[at * pageSize],
      episodes[Math.min(episodes.length, (at + 1) * pageSize) - 1],
    ]
    return first && last ? t.strip.range(shortNumber(first), shortNumber(last)) : ''
  }
  const step = (at: number, label: string, sign: Markup) =>
    at < 0 || at >= pages
      ? html`<span aria-hidden="true">${sign}</span>`
      : html`<a href="${path(at)}" aria-label="${label} ${name(at)}">${sign}</a>`
  const all = Array.from({ length: pages }, (_, at) => {
    const current = at === page ? html` aria-current="page"` : ''
    return html`<a href="${path(at)}"${current}>${name(at)}</a>`
  })
  return html`<nav class="segments pager" aria-label="${t.strip.pages}">
    ${step(page - 1, t.strip.earlier, icon('back', 14))}
    <details class="menu"><summary>${name(page)}${icon('down', 14)}</summary><div class="entries">${all}</div></details>
    ${step(page + 1, t.strip.later, icon('next', 14))}
  </nav>`
}

function below({ visit, work, progress }: WorkView): Markup {
  const { t } = visit
  const hint = progress.nextAt < 0 ? '' : html`<span>${t.strip.hint}</span>`
  const form = { act: 'add_episode', path: '/episodes', fields: { work_id: work.id }, swap: '#progress' }
  const add = html`<button class="link" data-focus="add-episode">${t.strip.add}</button>`
  return html`<div class="below">${hint}${progress.isEstimated ? actForm(visit, form, add) : ''}${seenUpTo({ visit, work, progress })}</div>`
}

/** For a list whose length nobody knows: grows it and records, in one press (D99). */
export function seenUpTo({ visit, work, progress }: ListView): Markup {
  if (!progress.isEstimated || work.is_counted === 1) return html``
  const { t } = visit
  const form = {
    act: 'seen_up_to',
    path: '/record/seen_up_to',
    fields: { work_id: work.id },
    swap: '#progress',
  }
  return actForm(
    visit,
    form,
    html`<label class="seen-up-to">${t.strip.seenUpTo}
      <input type="number" name="number" min="1" max="${maxEpisodes}" inputmode="numeric" required data-focus="seen-up-to" /></label>
    <button class="small">${t.strip.recordThese}</button>`,
  )
}
