import { maxEpisodes } from '../../library/next-episode'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { queryText } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { episodeName, episodePath, isPlainNumber, shortNumber } from '../parts/episode-name'
import { progressText } from '../parts/progress-bar'
import { hasAired } from './next-box'
import { isOpenList, type MarkedEpisode, openUpTo, type WorkView } from './view'

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
  const form = { act: 'up_to', path: '/record/up_to', fields: { once: 1 }, swap: '#progress' }
  return html`<section class="episodes">
    <div class="head"><h2>${visit.t.strip.title} ${extent(view)}</h2>${pager(view, page)}</div>
    ${visit.session === undefined ? list : actForm(visit, form, list)}
    ${visit.session === undefined ? '' : below(view)}
  </section>`
}

/** Links to an episode that was seen; otherwise opens a menu of what can be done. `at` is its index. */
function stripCell(view: WorkView, episode: MarkedEpisode, at: number): Markup {
  const { session } = view.visit
  const number = html`${shortNumber(episode)}${episode.hasComment ? html`<span class="dot"></span>` : ''}`
  const kind = kindOf(view, episode, at)
  const name = nameOf(view, episode, kind)
  if (session === undefined || episode.isSeen)
    return html`<li data-episode="${episode.id}"><a class="cell ${kind}" href="${pathOf(view, episode)}" aria-label="${name}">${number}</a></li>`
  return html`<li data-episode="${episode.id}"><details class="menu" name="strip"><summary class="cell ${kind}" aria-label="${name}" data-focus="cell-${episode.id}">${number}</summary><div class="entries">
    ${choices(view, episode, at)}<a href="${pathOf(view, episode)}">${view.visit.t.strip.open(episodeName(view.visit, episode))}</a></div></details></li>`
}

type Kind = 'seen' | 'skipped' | 'next' | 'aired' | 'waiting'

function kindOf({ visit, work, progress, starts }: WorkView, episode: MarkedEpisode, at: number): Kind {
  if (episode.isSeen) return 'seen'
  if (episode.isSkipped) return 'skipped'
  if (at === progress.nextAt && visit.session !== undefined) return 'next'
  const start = starts.get(episode.id)
  return hasAired(work, { start, place: at, now: visit.now }) ? 'aired' : 'waiting'
}

function nameOf({ visit }: WorkView, episode: MarkedEpisode, kind: Kind): string {
  const { t } = visit
  const name = episodeName(visit, episode)
  // The accessible name includes the visible text (WCAG 2.5.3).
  const short = shortNumber(episode)
  const words = [name.includes(short) ? name : `${short} ${name}`, t.strip.kinds[kind]]
  if (episode.hasComment) words.push(t.strip.withComment)
  return words.filter((word) => word !== '').join(t.common.comma)
}

function choices(view: WorkView, episode: MarkedEpisode, at: number): Markup {
  const { basePath, t } = view.visit
  const open = openUpTo(view.progress, at)
  const first = view.progress.episodes[open[0] ?? at] ?? episode
  const name = episodeName(view.visit, episode)
  const button = (path: string, text: string) =>
    html`<button name="episode_id" value="${episode.id}" formaction="${basePath}${path}">${text}</button>`
  const alone = episode.isSkipped || open.length > 1
  const range = t.strip.upTo(episodeName(view.visit, first), name, open.length)
  return html`${open.length > 0 && !episode.isSkipped ? html`<button name="episode_id" value="${episode.id}">${open.length > 1 ? range : t.strip.record(name)}</button>` : ''}${
    alone ? button('/record', t.strip.only(name)) : ''
  }${episode.isSkipped ? '' : button('/skip', t.strip.skip(name))}`
}

function pathOf({ visit, work, progress }: WorkView, { id, number }: MarkedEpisode): string {
  const is_only = Number(isPlainNumber(number) && progress.numbers.get(number) === 1)
  return episodePath(visit, { id, number, work_id: work.id, is_only })
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
  const known = episodes.length
  const isOpen = isOpenList({ work, progress })
  // What was watched of `12+` is all of it: said already.
  const isSaid = seenCount === 0 || (isOpen && seenCount === known)
  const done = isSaid ? '' : html`<small>${progressText({ watched: seenCount, known, isOpen })}</small>`
  return html`${range} ${size} ${lap} ${done}`
}

/** How many episodes a list that no source lists has: about, if their number is estimated, else at least (D99). */
export const estimatedSize = ({ visit: { t }, work, progress }: ListView): string =>
  (isOpenList({ work, progress }) ? t.strip.atLeast : t.strip.about)(progress.episodes.length)

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
