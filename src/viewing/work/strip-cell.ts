import { html, type Markup } from '../../pages/html'
import { episodeName, isPlainNumber, shortNumber } from '../parts/episode-name'
import { episodePath } from '../parts/episode-path'
import { hasAired } from './airing'
import { type MarkedEpisode, openUpTo } from './progress'
import type { WorkView } from './view'

/** Links to an episode that was seen; otherwise opens a menu of what can be done. `at` is its index. */
export function stripCell(view: WorkView, episode: MarkedEpisode, at: number): Markup {
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
