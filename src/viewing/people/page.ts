import { sql } from 'kysely'
import { findUsers } from '../../accounts/find-users'
import { isPersonSeen, seer } from '../../db/guard/audience'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { searchField } from '../../pages/navigation'
import { endFollower } from '../../social/follow-requests'
import { findOther } from '../../social/user-lookup'
import { wholeNumber } from '../../values/number'
import { readIfValid } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction, formText } from '../../web/form'
import { definePage, member, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText } from '../../web/visit'
import { findUser, isOwn, type ShownUser } from '../parts/find-user'
import { nextLink } from '../parts/page-links'
import { beforeAll, lastActive } from './last-active'
import { followsOf, membersWith, peopleWith, type ShownMember } from './members'
import { memberRows } from './row'

const pageLength = 50

/** Who is here, and who follows whom (people.md §6): members only. */
export const peoplePages: readonly PageRoute[] = [
  definePage({ path: '/people', access: member, show: showDirectory }),
  definePage({
    path: '/@:username/followers',
    access: member,
    show: async (visit) => showFollows(visit, await findUser(visit), 'followers'),
  }),
  definePage({
    path: '/@:username/following',
    access: member,
    show: async (visit) => showFollows(visit, await findUser(visit), 'following'),
  }),
  /** `username`: who shall follow the reader no longer. */
  defineAction({
    path: '/followers/remove',
    access: member,
    run: async (visit, sent) => {
      const { deps, session } = visit
      const other = await deps.write(async (tx) => {
        const found = await findOther(tx, formText(sent, 'username'))
        if (found === undefined) throw pageNotFound()
        await endFollower(tx, { user: session.userId, other: found.id })
        return found.id
      })
      setFlash(visit, 'removed', other)
      return seeOther(visit, safeReturn(formText(sent, 'return_to'), deps.config.baseUrl))
    },
  }),
]

interface PeoplePage {
  readonly title: string
  readonly above: Markup
  readonly people: readonly ShownMember[]
  readonly removes?: boolean
  /** Said if there is nobody. */
  readonly nobody?: string
  /** The next page, without the base path. */
  readonly next: string | undefined
}

async function showPeople(visit: MemberVisit, page: PeoplePage): Promise<PageContent> {
  const { t, basePath } = visit
  const { title, above, people, removes = false, next, nobody = t.people.nobody } = page
  const more = next === undefined ? '' : nextLink(basePath + next, t.people.more)
  const list =
    people.length === 0 && next === undefined
      ? html`<div class="nothing">${waves()}<h2>${nobody}</h2><p>${t.people.nobodyExplained}</p></div>`
      : html`${await memberRows(visit, people, { removes })}${more}`
  const main = html`${above}<div id="people">${list}</div>`
  return { title, main, place: 'me' }
}

const counted = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const longestName = 50

async function showDirectory(visit: MemberVisit): Promise<PageContent> {
  const { t, deps, session } = visit
  const viewer = session.userId
  const text = queryText(visit, 'q').trim().slice(0, longestName)
  const above = html`<div class="head"><h1>${t.people.title}</h1><span class="meta">${t.people.order}</span></div>
    <div class="people-filters">${searchField(visit, { path: '/people', text, hint: t.people.search, swap: '#people' })}${await chips(visit)}</div>`
  const page = { title: t.people.title, above }
  if (text !== '') {
    const people = await namedMembers(visit, text)
    return showPeople(visit, { ...page, people, nobody: t.people.nobodyFound(text), next: undefined })
  }
  const last = readIfValid(counted, queryText(visit, 'before')) ?? beforeAll.last
  const id = readIfValid(counted, queryText(visit, 'member')) ?? beforeAll.id
  const active = await lastActive(deps, { viewer, isApart: 0, after: { last, id }, limit: pageLength })
  const end = active.length < pageLength ? undefined : active.at(-1)
  return showPeople(visit, {
    ...page,
    people: await membersWith(deps.crowd, { ids: active.map((one) => one.id), viewer }),
    next: end && `/people?before=${end.last}&member=${end.id}`,
  })
}

/** The best fifty. Most of whom a name finds are in the directory. */
async function namedMembers({ deps, session }: MemberVisit, text: string): Promise<readonly ShownMember[]> {
  const found = await findUsers(deps.read, text)
  const people: ShownMember[] = []
  for (let at = 0; at < found.length && people.length < pageLength; at += 2 * pageLength) {
    const ids = found.slice(at, at + 2 * pageLength)
    people.push(...(await membersWith(deps.crowd, { ids, viewer: session.userId })))
  }
  return people.slice(0, pageLength)
}

/** Everybody, or those at either end of the reader's follows. */
async function chips(visit: MemberVisit): Promise<Markup> {
  const { t, basePath, session, deps } = visit
  const [own = { following: 0, followers: 0 }] = await ownCounts(deps.seen, { user: session.userId })
  const path = `${basePath}/@${session.username}`
  return html`<nav class="chips" aria-label="${t.people.which}"><a class="chip" href="${basePath}/people" aria-current="page">${t.people.everyone}</a><a class="chip" href="${path}/following">${t.people.following(own.following)}</a><a class="chip" href="${path}/followers">${t.people.followers(own.followers)}</a></nav>`
}

const ownCounts = preparedSql<{ following: number; followers: number }, { user: number }>(
  (slot) => sql`
  select followings_count as following, followers_count as followers from users where id = ${slot('user')}`,
)

type Side = 'followers' | 'following'

/** Of a private profile only its followers see more than its page. */
async function showFollows(visit: MemberVisit, user: ShownUser, side: Side): Promise<PageContent | Response> {
  const { t, deps, session, basePath } = visit
  const path = `/@${user.username}`
  const [profile] = await profileSeen(deps.seen, { user: user.id })
  if (profile?.isSeen !== 1) return seeOther(visit, path)
  const before = readIfValid(counted, queryText(visit, 'before')) ?? Number.MAX_SAFE_INTEGER
  const follows = await followsOf[side](deps.crowd, { user: user.id, before, limit: pageLength + 1 })
  const shown = follows.slice(0, pageLength)
  const title =
    side === 'followers' ? t.people.followersOf(user.username) : t.people.followingOf(user.username)
  const link = (one: Side, words: string) =>
    html`<a href="${basePath}${path}/${one}"${one === side ? html` aria-current="page"` : ''}>${words}</a>`
  const above = html`<a class="back" href="${basePath}${path}">${icon('back', 16)}${user.name || user.username}</a><h1>${title}</h1>
    <nav class="tabs" aria-label="${t.people.which}">${link('following', t.people.following(user.followings_count))}${link('followers', t.people.followers(user.followers_count))}</nav>`
  return showPeople(visit, {
    ...{ title, above, removes: side === 'followers' && isOwn(visit, user) },
    people: await peopleWith(deps.crowd, { ids: shown.map(({ person }) => person), viewer: session.userId }),
    next: follows.length > pageLength ? `${path}/${side}?before=${shown.at(-1)?.id ?? 0}` : undefined,
  })
}

const profileSeen = preparedSql<{ isSeen: number }, { user: number }>(
  (slot) =>
    sql`select ${sql.raw(isPersonSeen('person', seer))} as isSeen from users as person where id = ${slot('user')}`,
)
