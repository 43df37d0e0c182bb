import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { table } from '../../pages/table'
import { decisions } from '../../social/follow-requests'
import { findOther } from '../../social/user-lookup'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { defineAction, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { member, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText } from '../../web/visit'

export const privacyPath = '/settings/privacy'

/** Both answers of `/v1/me/follow_requests` (D76). A second press finds nothing to do. */
export const requestAnswers: readonly PageRoute[] = (['accept', 'decline'] as const).map((decision) =>
  defineAction({
    path: `${privacyPath}/${decision}`,
    access: member,
    run: async (visit, sent) => {
      const { deps, session } = visit
      const username = formText(sent, 'username')
      await deps.write(async (tx) => {
        const other = await findOther(tx, username)
        if (other === undefined) throw pageNotFound()
        await decisions[decision](tx, { user: session.userId, other: other.id, now: deps.now() })
      })
      return seeOther(visit, safeReturn(formText(sent, 'return_to') || privacyPath, deps.config.baseUrl))
    },
  }),
)

interface NamedUser {
  readonly username: string
  readonly name: string
}

/** At most as many as may wait. Who is muted or disabled is named on no page; their requests go on waiting. */
const askingOf = preparedSql<NamedUser, { user: number }>(
  (slot) => sql`
    select username, name from follow_requests join users on users.id = follower_id
    where followed_id = ${slot('user')} and declined_at is null and disabled_at is null
      and not exists (select 1 from mutes where user_id = ${slot('user')} and muted_id = follower_id)
    order by follow_requests.id limit 200`,
)

export async function followRequests(visit: MemberVisit): Promise<Markup | ''> {
  const { deps, session, t } = visit
  const asking = await askingOf(deps.seen, { user: session.userId })
  if (asking.length === 0) return ''
  const answer = (decision: 'accept' | 'decline') => (user: NamedUser) =>
    userForm(visit, user, {
      act: `request_${decision}`,
      path: `${privacyPath}/${decision}`,
      label: t.privacy[decision],
    })
  const rows = table(asking, [
    [t.common.name, (user) => userLink(visit, user)],
    ['', answer('accept')],
    ['', answer('decline')],
  ])
  return html`<section><h2>${t.privacy.requests}</h2><p>${t.privacy.requestsHint}</p>${rows}</section>`
}

interface LeftOutUser extends NamedUser {
  readonly blocked: number
}

const pageSize = 50

/** Whom one has blocked or muted, newest first: both have their undo here, though a profile shows little of who is blocked (D78). */
const leftOutBy = preparedSql<LeftOutUser, { user: number; limit: number; offset: number }>(
  (slot) => sql`
    select username, name, blocked from (
      select blocked_id as id, 1 as blocked, created_at from blocks where user_id = ${slot('user')}
      union all select muted_id, 0, created_at from mutes where user_id = ${slot('user')}) as other
    join users on users.id = other.id and disabled_at is null
    order by other.created_at desc, other.id desc, blocked limit ${slot('limit')} offset ${slot('offset')}`,
)

export async function leftOutPeople(visit: MemberVisit): Promise<Markup | ''> {
  const { deps, session, t, basePath } = visit
  const page = Math.min(readIfValid(positiveInteger, queryText(visit, 'page')) ?? 1, 1000)
  const asked = { user: session.userId, limit: pageSize + 1, offset: (page - 1) * pageSize }
  const found = await leftOutBy(deps.seen, asked)
  if (found.length === 0) return ''
  const undo = (user: LeftOutUser) =>
    user.blocked === 1
      ? userForm(visit, user, { act: 'unblock', path: '/unblock', label: t.privacy.unblock })
      : userForm(visit, user, { act: 'unmute', path: '/unmute', label: t.privacy.unmute })
  const rows = table(found.slice(0, pageSize), [
    [t.common.name, (user) => userLink(visit, user)],
    [t.privacy.leftOutAs, ({ blocked }) => (blocked === 1 ? t.privacy.isBlocked : t.privacy.isMuted)],
    ['', undo],
  ])
  const older =
    found.length > pageSize
      ? html`<p><a class="button small" href="${basePath}${privacyPath}?page=${page + 1}#left-out">${t.privacy.older}</a></p>`
      : ''
  return html`<section id="left-out"><h2>${t.privacy.leftOut}</h2><p>${t.privacy.leftOutHint}</p>${rows}${older}</section>`
}

const userLink = ({ basePath }: MemberVisit, { username, name }: NamedUser): Markup =>
  html`<a href="${basePath}/@${username}">${name}</a> <span class="meta">@${username}</span>`

interface UserForm {
  readonly act: string
  readonly path: string
  readonly label: string
}

const userForm = (visit: MemberVisit, { username }: NamedUser, { act, path, label }: UserForm): Markup =>
  html`<form method="post" action="${visit.basePath}${path}" data-act="${act}">
    ${csrfInput(visit)}<input type="hidden" name="username" value="${username}" /><input type="hidden" name="return_to" value="${privacyPath}" />
    <button class="small" aria-label="${label}${visit.t.common.colon}@${username}">${label}</button></form>`
