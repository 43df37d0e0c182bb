import { rowCount } from '../../db/row-counts'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import { icon, sprite, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { timeMarkup } from '../../pages/moment'
import { nextSteps } from '../../pages/next-steps'
import { titleMarkup } from '../../pages/title'
import { returnPath } from '../../web/return-to'
import { type MemberVisit, queryText } from '../../web/visit'
import { actsByKey } from '../parts/acts-by-key'
import { channelName } from '../parts/channel'
import { cover, workPath } from '../parts/cover'
import { shortEpisodeName } from '../parts/episode-name'
import { pageLinks } from '../parts/page-links'
import { statusMark } from '../parts/status'
import type { TrackedRow } from './order'
import { trackRow } from './row'
import type { Start } from './starting'
import type { TodaysBroadcast } from './today'
import { sorts, type Track, trackOf } from './track'

/** What airs today, the works being watched with their next episodes, and what starts this week. */
export async function trackPage(visit: MemberVisit): Promise<PageContent> {
  const { t } = visit
  const sort = sorts.find((one) => one === queryText(visit, 'sort')) ?? 'airing'
  const track = await trackOf(visit, sort)
  const main = html`<div class="track">
      <div class="head"><h1>${t.track.title}</h1>${track.rows.length > 1 ? sortLinks(visit, track) : ''}</div>
      ${todayBlock(visit, track.today)}
      <div class="tracked-works">${track.rows.length === 0 ? nothing(visit) : rowList(visit, track)}</div>
      ${startingBlock(visit, track.starting)}
      ${track.rows.length === 0 ? '' : actsByKey(visit)}
      ${(await isAlone(visit)) ? nextSteps(visit) : ''}
    </div>`
  return { title: t.track.title, main, place: 'track' }
}

function rowList(visit: MemberVisit, track: Track): Markup {
  const { page, pages, sort } = track
  const path = `${visit.basePath}/${sort === 'airing' ? '' : `?sort=${sort}`}`
  const rows = track.rows.map((row) => trackRow(visit, row, pages === 1 ? undefined : keeping(visit, row)))
  return html`${sprite('more', 'check')}<ul class="rows" data-rows>${rows}</ul>${pageLinks(visit, path, { page, pages })}`
}

/** The address of this page, with the row kept on it wherever it belongs by then. */
function keeping(visit: MemberVisit, { work }: TrackedRow): string {
  const { pathname, searchParams } = new URL(returnPath(visit), 'http://localhost')
  searchParams.set('keep', String(work.id))
  return `${pathname}?${searchParams}`
}

/** Whether the reader is an administrator and the only user. */
async function isAlone({ deps, session }: MemberVisit): Promise<boolean> {
  if (!session.isAdmin) return false
  const { users } = await deps.read.selectNoFrom(rowCount('users').as('users')).executeTakeFirstOrThrow()
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
      <div class="head"><h2 id="today-title">${visit.t.track.today}</h2></div>
      <ul>${today.map((one) => broadcastLine(visit, one))}</ul>
    </section>`
}

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
