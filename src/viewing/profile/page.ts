import { statusKinds } from '../../library/statuses'
import { html, type Markup } from '../../pages/html'
import { sprite } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { watchedTime } from '../../pages/partial-date'
import { definePage, member } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { type DiaryEntry, entriesOf } from '../diary/entries'
import { deleteForms, entryList, guardOf } from '../diary/entry'
import { lastWatched } from '../diary/queries'
import { findUser, isOwn, type ShownUser, userPath } from '../parts/find-user'
import { statusMark } from '../parts/status'
import { profileHead, totals } from './head'
import { heatMap, yearOfDays } from './heat-map'
import { favoritesOf } from './queries'

/** Who a user is and what they watch. Members only (D64). */
export const profilePage = definePage({
  path: '/@:username',
  access: member,
  show: async (visit) => showProfile(visit, await findUser(visit)),
})

const mostRecent = 10

async function showProfile(visit: MemberVisit, user: ShownUser): Promise<PageContent> {
  const { deps, session } = visit
  const year = await yearOfDays(visit, user)
  const keys = await lastWatched(deps.read, { user: user.id, limit: mostRecent })
  const main = html`${sprite('great', 'good', 'average', 'bad', 'more')}
    ${await profileHead(visit, user)}
    ${await totals(visit, user, year.counts.size)}
    ${heatMap(visit, user, year)}
    <div class="profile-columns"><div>${await favourites(visit, user)}
    ${recent(visit, user, await entriesOf(deps.read, keys, session.userId))}</div>
    <aside>${libraryLinks(visit, user)}${people(visit, user)}</aside></div>
    ${isOwn(visit, user) ? deleteForms(visit) : ''}`
  return { title: user.name, main, ...(isOwn(visit, user) && { place: 'me' }) }
}

async function favourites({ deps, t, preferences }: MemberVisit, user: ShownUser): Promise<Markup | ''> {
  const found = await favoritesOf(deps.read, { user: user.id })
  if (found.length === 0) return ''
  const chip = ({ name, name_en }: (typeof found)[number]) =>
    preferences.titleLanguage === 'native' || name_en === ''
      ? html`<li class="chip" lang="ja">${name}</li>`
      : html`<li class="chip" lang="en">${name_en}</li>`
  return html`<section><h2>${t.profilePage.favourites}</h2><ul class="favourites">${found.map(chip)}</ul></section>`
}

function recent(visit: MemberVisit, user: ShownUser, entries: readonly DiaryEntry[]): Markup {
  const { t } = visit
  const list =
    entries.length === 0
      ? html`<p class="soft">${t.profilePage.nothing}</p>`
      : html`${guardOf(visit, user, entries)}${entryList(visit, user, entries, ({ at, precision }) => watchedTime(visit, at, precision))}
        <p><a href="${userPath(visit, user)}/diary">${t.profilePage.wholeDiary}</a></p>`
  return html`<section class="recent" id="opinions"><h2>${t.profilePage.recent}</h2>${list}</section>`
}

function libraryLinks(visit: MemberVisit, user: ShownUser): Markup {
  const { t } = visit
  const lines = statusKinds.map(
    (kind) =>
      html`<li><a href="${userPath(visit, user)}/library/${kind}">${statusMark(t, kind)}<span class="meta">${user[`${kind}_count`].toLocaleString('en')}</span></a></li>`,
  )
  return html`<section><h2>${t.library.title}</h2><ul class="library-links">${lines}</ul></section>`
}

function people({ t }: MemberVisit, { followers_count, followings_count }: ShownUser): Markup {
  return html`<section><h2>${t.profilePage.people}</h2><p class="meta">${t.profilePage.followers(followers_count)} · ${t.profilePage.follows(followings_count)}</p></section>`
}
