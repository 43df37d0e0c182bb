import { sql } from 'kysely'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import { statusKinds } from '../../library/statuses'
import { userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { icon, sprite } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { watchedTime } from '../../pages/partial-date'
import { anyone, definePage } from '../../web/page'
import type { Visit } from '../../web/visit'
import { type DiaryEntry, deleteForms, entriesOf, entryList, guardOf } from '../diary/entry'
import { lastWatched } from '../diary/queries'
import { actForm } from '../parts/act-form'
import { findUser, isOwn, readerOf, robotsOf, type ShownUser, userPath } from '../parts/find-user'
import { followForm } from '../parts/follow'
import { hiddenProfileNotice } from '../parts/hidden-notice'
import { linkPreview } from '../parts/link-preview'
import { statusMark } from '../parts/status'
import { reportLink } from '../report/page'
import { commonWorks, recentEntries } from './beside'
import { favourites } from './favourites'
import { heatMap, yearOfDays } from './heat-map'

/** Who a user is and what they watch. Visitors see that of public profiles (D64). */
export const profilePage = definePage({
  path: '/@:username',
  access: anyone,
  show: async (visit) => showProfile(visit, await findUser(visit)),
})

const mostRecent = 10

async function showProfile(visit: Visit, user: ShownUser): Promise<PageContent> {
  const { deps } = visit
  if (!(await isSeen(visit, user))) return await privateProfile(visit, user)
  const year = await yearOfDays(visit, user)
  const keys = await lastWatched(deps.seen, { user: user.id, limit: mostRecent })
  const main = html`${sprite('great', 'good', 'average', 'bad', 'more', 'lock', 'heart', 'eye', 'comment')}
    ${await profileHead(visit, user)}
    ${await totals(visit, user, year.counts.size)}
    ${isOwn(visit, user) ? '' : await commonWorks(visit, user)}
    ${heatMap(visit, user, year)}
    <div class="profile-columns"><div>${await favourites(visit, user)}
    ${await recent(visit, user, await entriesOf(deps.seen, keys, readerOf(visit)))}</div>
    <aside>${libraryLinks(visit, user)}${connected(visit, user)}</aside></div>
    ${isOwn(visit, user) ? deleteForms(visit) : ''}`
  const content = { title: user.name, main, ...robotsOf(user), ...feedLink(visit, user) }
  return { ...content, ...(isOwn(visit, user) && { place: 'me' }) }
}

/** Of a public profile, for readers of feeds and for links to it. */
function feedLink(visit: Visit, user: ShownUser): Pick<PageContent, 'head'> {
  if (user.privacy !== 'public' || !visit.deps.config.publicCatalogue) return {}
  const path = `/@${user.username}`
  const about = { title: user.name, description: user.description, type: 'profile', path } as const
  return {
    head: html`<link rel="alternate" type="application/atom+xml" title="${user.name}" href="${visit.basePath}${path}.atom" />${linkPreview(visit, about)}`,
  }
}

/** Of a private profile, members who do not follow it see a name and a picture (D75); so do the two sides of a block (D78). */
async function isSeen(visit: Visit, user: ShownUser): Promise<boolean> {
  if (isOwn(visit, user)) return true
  const [known] = await connectionOf(visit.deps.seen, { user: readerOf(visit), other: user.id })
  return known?.apart === 0 && (user.privacy !== 'private' || known.follows === 1)
}

async function privateProfile(visit: Visit, user: ShownUser): Promise<PageContent> {
  const main = html`${sprite('more')}
    ${await profileHead(visit, user)}<p class="note">${visit.t.profilePage.isPrivate}</p>`
  return { title: user.name, main }
}

async function profileHead(visit: Visit, user: ShownUser): Promise<Markup> {
  const since = formatDay(visit, readerTime(visit, user.created_at).dayNumber, 'month')
  const acts = isOwn(visit, user) ? ownLinks(visit) : await connections(visit, user)
  return html`<div class="profile-head">${userAvatar(visit, user, 72)}
    <div class="names"><h1>${user.name}</h1><p class="meta"><span>@${user.username} · </span> <span>${visit.t.profilePage.since(since)}</span>${await followsReader(visit, user)}</p></div>
    <div class="buttons">${acts}</div></div>
    ${user.description === '' ? '' : html`<p class="bio">${user.description}</p>`}${website(user)}${isOwn(visit, user) ? await hiddenProfileNotice(visit, user.id) : ''}`
}

async function followsReader(visit: Visit, user: ShownUser): Promise<Markup | ''> {
  const pair = { user: user.id, other: readerOf(visit) }
  const [known] = await connectionOf(visit.deps.seen, pair)
  return known?.follows === 1 ? html` <span>· ${visit.t.profilePage.followsYou}</span>` : ''
}

/** Links only addresses that browsers can open, no other schemes. */
function website({ url }: ShownUser): Markup | '' {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return ''
  const said = `${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}`
  return html`<p class="website"><a href="${parsed.href}" rel="me nofollow noreferrer">${icon('out', 16)}${said}</a></p>`
}

const ownLinks = ({ t, basePath }: Visit): Markup =>
  html`<a class="button small" href="${basePath}/settings/profile">${t.common.edit}</a>`

async function connections(visit: Visit, user: ShownUser): Promise<Markup> {
  const { deps, t } = visit
  if (visit.session === undefined) return html``
  const [known] = await connectionOf(deps.seen, { user: readerOf(visit), other: user.id })
  const fields = { username: user.username }
  const form = (path: string, swap: string, body: Markup) =>
    actForm(visit, { act: path.slice(1), path, fields, swap }, body)
  const { follows = 0, asks = 0 } = known ?? {}
  const follow =
    known?.apart === 1
      ? ''
      : followForm(visit, { ...user, follows, asks }, { swap: '.profile-head', kind: 'filled' })
  const mute =
    known?.mutes === 1
      ? form(
          '/unmute',
          '.profile-head',
          html`<button data-focus="mute">${t.profilePage.unmute(user.username)}</button>`,
        )
      : form(
          '/mute',
          '.profile-head',
          html`<button data-focus="mute">${t.profilePage.mute(user.username)}</button>`,
        )
  const block =
    known?.blocks === 1
      ? form(
          '/unblock',
          'main',
          html`<button data-focus="block">${t.profilePage.unblock(user.username)}</button>`,
        )
      : form(
          '/block',
          'main',
          html`<button class="danger" data-focus="block">${t.profilePage.block(user.username)}</button>`,
        )
  return html`${follow}<details class="menu" name="menu"><summary aria-label="${t.profilePage.menuOf(user.username)}">${icon('more')}</summary><div class="entries">${mute}${reportLink(visit, { name: 'username', id: user.username }, user.username)}<hr />${block}</div></details>`
}

/** 1 or 0, of `user` towards `other`; `apart`: whether one of the two has blocked the other. */
const connectionOf = preparedSql<
  { follows: number; asks: number; mutes: number; blocks: number; apart: number },
  { user: number; other: number }
>(
  (slot) => sql`
    select exists (select 1 from follows where follower_id = ${slot('user')} and followed_id = ${slot('other')}) as follows,
      exists (select 1 from follow_requests where follower_id = ${slot('user')} and followed_id = ${slot('other')}
        and withdrawn_at is null) as asks,
      exists (select 1 from mutes where user_id = ${slot('user')} and muted_id = ${slot('other')}) as mutes,
      exists (select 1 from blocks where user_id = ${slot('user')} and blocked_id = ${slot('other')}) as blocks,
      exists (select 1 from blocks where user_id in (${slot('user')}, ${slot('other')})
        and blocked_id in (${slot('user')}, ${slot('other')})) as apart`,
)

/** Number of viewings of films. Uses reviews_user. */
const filmCount = prepared((read, slot: SlotOf<{ user: number }>) =>
  read
    .selectFrom('reviews')
    .select(({ fn }) => fn.countAll<number>().as('films'))
    .where('user_id', '=', slot('user'))
    .where('watched_at', 'is not', null),
)

/** `days`: days of the last year on which something was watched. */
async function totals(visit: Visit, user: ShownUser, days: number): Promise<Markup> {
  const { t } = visit
  const [{ films } = { films: 0 }] = await filmCount(visit.deps.seen, { user: user.id })
  const { year: thisYear } = readerTime(visit, visit.now)
  const figure = (name: string, count: number) =>
    html`<div><dt>${name}</dt><dd>${count.toLocaleString('en')}</dd></div>`
  return html`<div class="totals"><dl class="figures">${figure(t.profilePage.episodes(user.records_count), user.records_count)}${figure(t.profilePage.works(user.watched_count), user.watched_count)}${figure(t.profilePage.films(films), films)}${figure(t.profilePage.days(days), days)}</dl>
    <p class="links"><a href="${userPath(visit, user)}/diary">${t.diary.title}</a> <a href="${userPath(visit, user)}/library/watching">${t.library.title}</a> <a href="${userPath(visit, user)}/lists">${t.lists.title}</a> <a href="${userPath(visit, user)}/stats">${t.stats.title}</a>${isOwn(visit, user) ? html` <a href="${userPath(visit, user)}/${thisYear}">${t.seasons.year(thisYear)}</a> <a href="${visit.basePath}/activity">${t.activity.title}</a> <a href="${visit.basePath}/settings/import">${t.listImports.title}</a> <a href="${visit.basePath}/settings">${t.settings.title}</a>` : ''}</p></div>`
}

async function recent(visit: Visit, user: ShownUser, entries: readonly DiaryEntry[]): Promise<Markup> {
  const { t } = visit
  const told = isOwn(visit, user) ? undefined : await recentEntries(visit, user)
  if (told !== undefined)
    return html`<section class="recent" id="opinions"><h2>${t.profilePage.recent}</h2>${told}${wholeDiary(visit, user)}</section>`
  const list =
    entries.length === 0
      ? html`<p class="soft">${t.profilePage.nothing}</p>`
      : html`${guardOf(visit, user, entries)}${entryList(visit, user, entries, ({ at, precision }) => watchedTime(visit, at, precision))}
        ${wholeDiary(visit, user)}`
  return html`<section class="recent" id="opinions"><h2>${t.profilePage.recent}</h2>${list}</section>`
}

const wholeDiary = (visit: Visit, user: ShownUser): Markup =>
  html`<p><a href="${userPath(visit, user)}/diary">${visit.t.profilePage.wholeDiary}</a></p>`

function libraryLinks(visit: Visit, user: ShownUser): Markup {
  const { t } = visit
  const lines = statusKinds.map(
    (kind) =>
      html`<li><a href="${userPath(visit, user)}/library/${kind}">${statusMark(t, kind)}<span class="meta">${user[`${kind}_count`].toLocaleString('en')}</span></a></li>`,
  )
  return html`<section><h2>${t.library.title}</h2><ul class="library-links">${lines}</ul></section>`
}

function connected(visit: Visit, user: ShownUser): Markup {
  const { t } = visit
  const path = userPath(visit, user)
  return html`<section><h2>${t.profilePage.people}</h2><p class="meta"><a href="${path}/followers">${t.profilePage.followers(user.followers_count)}</a> · <a href="${path}/following">${t.profilePage.follows(user.followings_count)}</a></p></section>`
}
