import type { NextEpisode } from '../../library/progress/progress'
import { html, type Markup } from '../../pages/html'
import { icon, spriteIcon } from '../../pages/icons'
import { timeMarkup } from '../../pages/moment'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { returnPath } from '../../web/return-to'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { channelName } from '../parts/channel'
import { cover, workPath } from '../parts/cover'
import { episodeName, shortEpisodeName } from '../parts/episode-name'
import { progressBar } from '../parts/progress-bar'
import type { TrackedRow } from './order'

/** A work being watched: which episode comes next, when, and the button that records it. */
export function trackRow(visit: MemberVisit, row: TrackedRow, returnTo?: string): Markup {
  const { work, progress } = row
  const { next } = progress
  return html`<li class="row tracked" id="row-${work.id}" data-work="${work.id}">
    ${cover(visit, work, 32)}
    <div class="text">
      <a class="work" href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a>
      ${next === undefined ? complete(visit, row) : upcoming(visit, next)}
    </div>
    <p class="when meta">${next === undefined ? '' : whenText(visit, row, next)}</p>
    <p class="progress meta">${progressBar(progress)}</p>
    ${next === undefined ? lastAct(visit, row, returnTo) : html`${sheetLink(visit, row, next, returnTo)}${recordButton(visit, row, next, returnTo)}`}
  </li>`
}

function upcoming(visit: MemberVisit, next: NextEpisode): Markup {
  const name = shortEpisodeName(visit, { number: next.number, number_text: next.numberText })
  const title = next.title === '' ? '' : html`<span class="episode-title" lang="ja">「${next.title}」</span>`
  return html`<p class="upcoming"><span class="episode${next.hasAired ? ' aired' : ''}">${name}</span>${title}</p>`
}

const complete = ({ t }: MemberVisit, { work, progress }: TrackedRow): Markup =>
  html`<p class="upcoming meta">${work.no_episodes === 1 || progress.known === 0 ? t.track.noEpisodes : t.track.upToDate}</p>`

function whenText(visit: MemberVisit, { progress }: TrackedRow, next: NextEpisode): Markup | string {
  const { t } = visit
  if (progress.unseen > 2) return t.track.behind(progress.unseen)
  const { airing } = next
  if (airing === undefined) return ''
  const channel = airing.channel === undefined ? '' : html` · ${channelName(t, airing.channel)}`
  const estimated =
    airing.isEstimated && !next.hasAired ? html` <span class="estimated">${t.work.estimated}</span>` : ''
  return html`${timeMarkup(visit, airing.at, next.hasAired ? 'since' : 'when')}${channel}${estimated}`
}

/** The sheet has everything that takes more than one tap: rating, comment, another time, skip. */
function sheetLink(visit: MemberVisit, { work }: TrackedRow, next: NextEpisode, returnTo?: string): Markup {
  const { basePath, t } = visit
  return html`<a class="more" href="${basePath}/record/new?episode=${next.id}&return_to=${encodeURIComponent(returnTo ?? returnPath(visit))}" data-dialog data-keys="R" aria-label="${t.track.more(chosenTitle(visit, work).text)}">${spriteIcon('more')}</a>`
}

function recordButton(
  visit: MemberVisit,
  { work }: TrackedRow,
  next: NextEpisode,
  returnTo?: string,
): Markup {
  const episode = episodeName(visit, { number: next.number, number_text: next.numberText })
  const name = visit.t.track.record(chosenTitle(visit, work).text, episode)
  return actForm(
    visit,
    { act: 'record', path: '/record', fields: { once: 1 }, swap: `#row-${work.id}, #today`, returnTo },
    html`<button class="check${next.hasAired ? ' aired' : ''}" name="episode_id" value="${next.id}" data-focus="record-${work.id}" data-keys="r" aria-label="${name}">${spriteIcon('check')}</button>`,
  )
}

/**
 * After the last known episode: adds one if the list may grow (D62), and marks the work as watched, which is offered
 * first only where the list is whole, and not at all for a series of this year whose list is not.
 */
function lastAct(visit: MemberVisit, { work, progress }: TrackedRow, returnTo?: string): Markup {
  const { t } = visit
  if (work.no_episodes === 1)
    return html`<a class="button outlined small" href="${workPath(visit, work.id)}">${t.track.log}</a>`
  const swap = `#row-${work.id}, #today`
  const grow = { act: 'add_episode', path: '/episodes', fields: { work_id: work.id }, swap, returnTo }
  const watched = {
    act: 'status',
    path: '/status',
    fields: { work_id: work.id, kind: 'watched' },
    swap,
    returnTo,
  }
  const title = chosenTitle(visit, work).text
  const { mayGrow } = progress
  const goesOn = mayGrow && (work.season_year ?? 0) >= new Date(visit.now).getUTCFullYear()
  const plus = html`<button class="outlined small" data-focus="record-${work.id}" aria-label="${t.track.addEpisodeTo(title)}">${t.track.addEpisode}</button>`
  const done = html`<button class="${mayGrow ? 'quiet' : 'outlined'} small" aria-label="${t.statuses.setTo(title, t.statuses.watched)}">${icon('watched', 14)}${t.statuses.watched}</button>`
  return html`${mayGrow ? actForm(visit, grow, plus) : ''}${progress.known > 0 && !goesOn ? actForm(visit, watched, done) : ''}`
}
