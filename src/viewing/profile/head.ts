import { userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { formatDay, readerTime } from '../../pages/local-format'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { isOwn, type ShownUser, userPath } from '../parts/find-user'
import { connectionOf, filmCount } from './queries'

export async function profileHead(visit: MemberVisit, user: ShownUser): Promise<Markup> {
  const since = formatDay(visit, readerTime(visit, user.created_at).dayNumber, 'month')
  const acts = isOwn(visit, user) ? ownLinks(visit) : await connections(visit, user)
  return html`<div class="profile-head">${userAvatar(visit, user, 72)}
    <div class="names"><h1>${user.name}</h1><p class="meta"><span>@${user.username} · </span> <span>${visit.t.profilePage.since(since)}</span></p></div>
    <div class="buttons">${acts}</div></div>
    ${user.description === '' ? '' : html`<p class="bio">${user.description}</p>`}${website(user)}`
}

/** Links only addresses that browsers can open, no other schemes. */
function website({ url }: ShownUser): Markup | '' {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return ''
  const said = `${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}`
  return html`<p class="website"><a href="${parsed.href}" rel="nofollow noreferrer">${icon('out', 16)}${said}</a></p>`
}

const ownLinks = ({ t, basePath }: MemberVisit): Markup =>
  html`<a class="button small" href="${basePath}/settings/profile">${t.common.edit}</a>`

async function connections(visit: MemberVisit, user: ShownUser): Promise<Markup> {
  const { deps, session, t } = visit
  const [known] = await connectionOf(deps.read, { user: session.userId, other: user.id })
  const fields = { username: user.username }
  const form = (act: string, body: Markup) =>
    actForm(visit, { act, path: `/${act}`, fields, swap: '.profile-head' }, body)
  const follow =
    known?.follows === 1
      ? form(
          'unfollow',
          html`<button class="small" data-focus="follow" aria-label="${t.profilePage.unfollow(user.username)}">${icon('check', 14)}${t.profilePage.following}</button>`,
        )
      : form(
          'follow',
          html`<button class="filled small" data-focus="follow" aria-label="${t.profilePage.followUser(user.username)}">${t.profilePage.follow}</button>`,
        )
  const mute =
    known?.mutes === 1
      ? form('unmute', html`<button data-focus="mute">${t.profilePage.unmute(user.username)}</button>`)
      : form('mute', html`<button data-focus="mute">${t.profilePage.mute(user.username)}</button>`)
  return html`${follow}<details class="menu" name="menu"><summary aria-label="${t.profilePage.menuOf(user.username)}">${icon('more')}</summary><div class="entries">${mute}</div></details>`
}

/** `days`: days of the last year on which something was watched. */
export async function totals(visit: MemberVisit, user: ShownUser, days: number): Promise<Markup> {
  const { t } = visit
  const [{ films } = { films: 0 }] = await filmCount(visit.deps.read, { user: user.id })
  const figure = (name: string, count: number) =>
    html`<div><dt>${name}</dt><dd>${count.toLocaleString('en')}</dd></div>`
  return html`<div class="totals"><dl class="figures">${figure(t.profilePage.episodes(user.records_count), user.records_count)}${figure(t.profilePage.works(user.watched_count), user.watched_count)}${figure(t.profilePage.films(films), films)}${figure(t.profilePage.days(days), days)}</dl>
    <p class="links"><a href="${userPath(visit, user)}/diary">${t.diary.title}</a> <a href="${userPath(visit, user)}/library/watching">${t.library.title}</a>${isOwn(visit, user) ? html` <a href="${visit.basePath}/settings/import">${t.listImports.title}</a> <a href="${visit.basePath}/settings">${t.settings.title}</a>` : ''}</p></div>`
}
