import { usersCount } from '../../accounts/users'
import type { NextEpisode } from '../../library/progress/progress'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import { icon, sprite, spriteIcon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { readerTime } from '../../pages/local-format'
import { timeMarkup } from '../../pages/moment'
import { nextSteps } from '../../pages/next-steps'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { countWaiting } from '../../scrobble/inbox'
import { returnPath } from '../../web/return-to'
import { type MemberVisit, queryText } from '../../web/visit'
import { meetingsToCome, type UpcomingMeeting } from '../meeting/view'
import { actForm, actsByKey } from '../parts/act-form'
import { channelName } from '../parts/channel'
import { cover, workPath } from '../parts/cover'
import { episodeName, shortEpisodeName } from '../parts/episode-name'
import { pageLinks } from '../parts/page-links'
import { lock } from '../parts/private-mark'
import { progressBar } from '../parts/progress-bar'
import { statusMark } from '../parts/status'
import type { Start, TodaysBroadcast } from './broadcasts'
import { sorts, type Track, type TrackedRow, trackOf } from './track'

/** What airs today, the works being watched with their next episodes, and what starts this week. */
export async function trackPage(visit: MemberVisit): Promise<PageContent> {
  const { t } = visit
  const sort = sorts.find((one) => one === queryText(visit, 'sort')) ?? 'airing'
  const track = await trackOf(visit, sort)
  const main = html`<div class="track">
      <div class="head"><h1>${t.track.title}</h1>${track.rows.length > 1 ? sortLinks(visit, track) : ''}<a class="button small" href="${visit.basePath}/calendar" aria-label="${t.calendar.title}">${icon('calendar', 16)}</a></div>
      ${await waitingLine(visit)}
      ${await meetingLines(visit)}
      ${todayBlock(visit, track.today)}
      <div class="tracked-works">${track.rows.length === 0 ? nothing(visit) : rowList(visit, track)}</div>
      ${startingBlock(visit, track.starting)}
      ${track.rows.length === 0 ? '' : actsByKey(visit)}
      ${(await isAlone(visit)) ? nextSteps(visit) : ''}
    </div>`
  return { title: t.track.title, main, place: 'track', isKept: true }
}

function rowList(visit: MemberVisit, track: Track): Markup {
  const { page, pages, sort } = track
  const path = `${visit.basePath}/${sort === 'airing' ? '' : `?sort=${sort}`}`
  const rows = track.rows.map((row) => trackRow(visit, row, pages === 1 ? undefined : keeping(visit, row)))
  return html`${sprite('more', 'check', 'lock')}<ul class="rows" data-rows>${rows}</ul>${pageLinks(visit, path, { page, pages })}`
}

/** A work being watched: which episode comes next, when, and the button that records it. */
function trackRow(visit: MemberVisit, row: TrackedRow, returnTo?: string): Markup {
  const { work, progress } = row
  const { next } = progress
  return html`<li class="row tracked" id="row-${work.id}" data-work="${work.id}">
    ${cover(visit, work, 32)}
    <div class="text">
      <a class="work" href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a>${lock(visit.t, work.private, spriteIcon)}
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
  { work, later = [] }: TrackedRow,
  next: NextEpisode,
  returnTo?: string,
): Markup {
  const episode = episodeName(visit, { number: next.number, number_text: next.numberText })
  // `script/outbox/marks.ts` goes on with them while presses wait.
  const names = later.map(
    ([id, number, number_text]) => `${id} ${episodeName(visit, { number, number_text }).replaceAll(',', '')}`,
  )
  const more = later.length === 0 ? '' : html` data-next="${names.join(',')}"`
  const name = visit.t.track.record(chosenTitle(visit, work).text, episode)
  return actForm(
    visit,
    { act: 'record', path: '/record', fields: { once: 1 }, swap: `#row-${work.id}, #today`, returnTo },
    html`<button class="check${next.hasAired ? ' aired' : ''}" name="episode_id" value="${next.id}" data-now="${episode}"${more} data-focus="record-${work.id}" data-keys="r" aria-label="${name}">${spriteIcon('check')}</button>`,
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

/** The address of this page, with the row kept on it wherever it belongs by then. */
function keeping(visit: MemberVisit, { work }: TrackedRow): string {
  const { pathname, searchParams } = new URL(returnPath(visit), 'http://localhost')
  searchParams.set('keep', String(work.id))
  return `${pathname}?${searchParams}`
}

/** Plays of players that no work was found for. */
async function waitingLine({ deps, session, t, basePath }: MemberVisit): Promise<Markup> {
  const series = await countWaiting(deps, session.userId)
  if (series === 0) return html``
  return html`<p class="waiting-plays"><a href="${basePath}/settings/scrobbling/inbox">${icon('inbox', 16)}${t.scrobbling.trackLine(series)}</a></p>`
}

/** Dates to watch together, soonest first; what began lately can be called watched. */
async function meetingLines(visit: MemberVisit): Promise<Markup | ''> {
  const { deps, session, t, basePath, now } = visit
  const coming = await meetingsToCome(deps.seen, { user: session.userId, from: now - halfDay })
  if (coming.length === 0) return ''
  const line = (one: UpcomingMeeting) =>
    html`<li><a href="${basePath}/meetings/${one.id}">${icon('calendar', 16)}<span class="time">${timeMarkup(visit, one.begins_at)}</span> ${titleMarkup(visit, one)}${one.answer === null ? html` <span class="meta">${t.meeting.toAnswer}</span>` : ''}</a></li>`
  return html`<section class="meetings-to-come" aria-label="${t.meeting.onTrack}"><ul>${coming.map(line)}</ul></section>`
}

const halfDay = 43_200_000

/** Whether the reader is an administrator and the only user. */
async function isAlone({ deps, session }: MemberVisit): Promise<boolean> {
  if (!session.isAdmin) return false
  const { users } = await deps.seen.selectNoFrom(usersCount.as('users')).executeTakeFirstOrThrow()
  return users === 1
}

function sortLinks({ t, basePath }: MemberVisit, { sort }: Track): Markup {
  const link = (one: (typeof sorts)[number]) =>
    html`<a href="${basePath}/${one === 'airing' ? '' : `?sort=${one}`}"${one === sort ? html` aria-current="true"` : ''}>${names(t)[one]}</a>`
  return html`<nav class="segments" aria-label="${t.track.sort}">${sorts.map(link)}</nav>`
}

const names = (t: Messages) => ({
  airing: t.track.airing,
  recent: t.library.sorts.recent,
  title: t.library.sorts.title,
})

function nothing({ t, basePath }: MemberVisit): Markup {
  return html`<div class="nothing">${waves()}
      <h2>${t.track.nothing}</h2>
      <p>${t.track.nothingExplained}</p>
      <a class="button filled" href="${basePath}/welcome">${t.track.pick}</a>
      <a href="${basePath}/seasons/now">${t.track.toSeason}</a>
    </div>`
}

/** Present even when empty, because the script replaces it. */
function todayBlock(visit: MemberVisit, today: readonly TodaysBroadcast[]): Markup {
  if (today.length === 0) return html`<div id="today"></div>`
  return html`<section class="box today" id="today" aria-labelledby="today-title">
      <div class="head"><h2 id="today-title">${visit.t.track.today}</h2>${asOf(visit)}</div>
      <ul>${today.map((one) => broadcastLine(visit, one))}</ul>
    </section>`
}

/** In an installed app, which has no button to load a page again, and on a page that was kept. */
const asOf = (visit: MemberVisit): Markup =>
  html`<p class="as-of meta">${visit.t.phone.asOf(readerTime(visit, visit.now).clock)} · <a href="${visit.basePath}/">${visit.t.phone.update}</a></p>`

function broadcastLine(visit: MemberVisit, one: TodaysBroadcast): Markup {
  const { t, now } = visit
  const state = one.isRecorded
    ? html`<span class="state seen">${icon('check', 14)}${t.track.recorded}</span>`
    : html`<span class="meta">${one.channel === undefined ? '' : channelName(t, one.channel)}</span>`
  const estimated =
    one.isEstimated && !one.isRecorded ? html`<span class="estimated">${t.work.estimated}</span>` : ''
  return html`<li class="broadcast${one.at <= now ? ' over' : ''}">
      <span class="time">${timeMarkup(visit, one.at, 'clock')}</span>
      <a href="${workPath(visit, one.work.id)}">${titleMarkup(visit, one.work)}</a>
      ${one.episode === undefined ? '' : html`<span class="number">${shortEpisodeName(visit, one.episode)}</span>`}
      ${estimated}${state}
    </li>`
}

function startingBlock(visit: MemberVisit, starting: readonly Start[]): Markup | '' {
  if (starting.length === 0) return ''
  return html`<section class="starting" aria-labelledby="starting-title">
      <h2 id="starting-title">${visit.t.track.starting}</h2>
      <ul class="rows">${starting.map(
        ({ work, at }) => html`<li class="row">
          ${cover(visit, work, 32)}
          <div class="text">
            <a class="work" href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a>
            <p class="meta">${timeMarkup(visit, at)}</p>
            ${statusMark(visit.t, 'wanna_watch')}
          </div>
        </li>`,
      )}</ul>
    </section>`
}
