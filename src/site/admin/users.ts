import { listJoinRequests } from '../../accounts/account/join-request'
import {
  countUsers,
  findUserRow,
  type ListedUser,
  pageOfUsers,
  type UserKind,
  type UserRow,
  userKinds,
} from '../../accounts/account/user-rows'
import { userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { administrator, definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId, queryText } from '../../web/visit'
import { joinRequestRows } from './join-requests'
import { adminPage } from './tabs'

export const adminUsersPath = '/admin/users'

/** Query parameters: `q`, `kind` and `page`, or `state=waiting` for those who ask to join. */
export const adminUsers = definePage({
  path: adminUsersPath,
  access: administrator,
  show: async (visit) => {
    const { deps, t, basePath } = visit
    const counts = await countUsers(deps.read)
    if (queryText(visit, 'state') === 'waiting') return waitingUsers(visit, counts)
    const text = queryText(visit, 'q').trim()
    const page = pageNumber(queryText(visit, 'page'))
    const kind = userKinds.find((one) => one === queryText(visit, 'kind'))
    const { users, hasMore } = await pageOfUsers(deps.read, { text, page, kind })
    return adminPage(visit, 'users', {
      act: html`<a class="button filled" href="${basePath}/admin/invitations">${t.invitations.invite}</a>`,
      main: html`<div class="finding-users">${search(visit, text)}${kindChips(visit, kind ?? 'all', counts)}</div>
        ${users.length === 0 ? html`<p>${t.users.none}</p>` : userTable(visit, users)}
        ${pager(visit, { text, page, kind, hasMore })}`,
    })
  },
})

type UserCounts = Awaited<ReturnType<typeof countUsers>>

const waitingUsers = async (visit: MemberVisit, counts: UserCounts) =>
  adminPage(visit, 'users', {
    main: html`<div class="finding-users">${search(visit, '')}${kindChips(visit, 'waiting', counts)}</div>
      ${visit.deps.mail === undefined ? html`<p class="meta">${visit.t.joining.tellThem}</p>` : ''}
      ${joinRequestRows(visit, await listJoinRequests(visit.deps.read))}`,
  })

/** Anything but a number means page 1; a page beyond the end is empty. */
const pageNumber = (text: string) => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 1)

const search = ({ t, basePath }: PageContext, text: string) =>
  html`<form class="search" method="get" action="${basePath}${adminUsersPath}" role="search" aria-label="${t.users.search}">${icon('find')}
    <input type="search" name="q" value="${text}" aria-label="${t.users.search}" placeholder="${t.users.search}" autocapitalize="off" spellcheck="false" /></form>`

function kindChips(
  { deps, t, basePath }: MemberVisit,
  kind: UserKind | 'all' | 'waiting',
  counts: UserCounts,
): Markup {
  const waits = deps.config.registration === 'approve' || (counts.waiting ?? 0) > 0 || kind === 'waiting'
  const chip = (path: string, name: string, count: number, isOn: boolean) =>
    html`<a class="chip" href="${basePath}${adminUsersPath}${path}"${isOn ? html` aria-current="true"` : ''}>${name}<span class="amount">${count}</span></a>`
  return html`<nav class="chips" aria-label="${t.users.status}">${chip('', t.common.all, counts.all, kind === 'all')}${userKinds.map(
    (one) => chip(`?kind=${one}`, t.users.kinds[one], counts[one] ?? 0, kind === one),
  )}${waits ? chip('?state=waiting', t.joining.waiting, counts.waiting ?? 0, kind === 'waiting') : ''}</nav>`
}

/** What changes an account asks first, on a page of its own. */
function userTable(visit: MemberVisit, users: readonly ListedUser[]): Markup {
  const { t } = visit
  const heads = [t.users.user, t.users.role, t.users.status, t.users.records, t.users.lastSeen]
  return html`<table class="dense users"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}<td></td></tr></thead>
    <tbody>${users.map((user) => userRow(visit, user))}</tbody></table>`
}

function userRow(visit: MemberVisit, user: ListedUser): Markup {
  const { t, basePath } = visit
  const { id, username, email, disabled_at, records_count, last_seen_at } = user
  const role = roleOf(visit, user)
  const state =
    disabled_at === null
      ? html`<span class="state seen">${icon('check', 16)}${t.users.active}</span>`
      : html`<span class="state wrong">${icon('close', 16)}${t.users.disabled}</span>`
  const seen = moment(visit, last_seen_at, '–')
  return html`<tr><th scope="row"><span class="who">${userAvatar(visit, user, 28)}<span class="text"><a href="${basePath}${adminUsersPath}/${id}">${username}</a><span class="meta">${email}</span><span class="meta on-phone">${disabled_at === null ? html`${role} · ${seen}` : state}</span></span></span></th>
    <td>${role}</td><td>${state}</td><td>${records_count.toLocaleString(t.language.locale)}</td><td>${seen}</td><td>${userMenu(visit, user)}</td></tr>`
}

function userMenu(visit: MemberVisit, user: ListedUser): Markup {
  const { t, basePath, session } = visit
  const { id, username, is_admin, is_editor, disabled_at } = user
  if (id === session.userId) return html``
  const path = `${basePath}${adminUsersPath}/${id}`
  const entries =
    disabled_at === null
      ? html`<a href="${path}/${is_admin === 1 ? 'demote' : 'promote'}">${is_admin === 1 ? t.users.demote : t.users.promote}…</a>
        <a href="${path}/${is_editor === 1 ? 'end_editor' : 'make_editor'}">${is_editor === 1 ? t.users.endEditor : t.users.makeEditor}…</a>
        <a href="${path}/reset_password">${t.users.resetPassword}…</a><hr /><a class="danger" href="${path}/disable">${t.users.disableUser(username)}…</a>`
      : html`<a href="${path}#main">${t.users.enable}…</a>`
  return html`<details class="menu" name="menu"><summary aria-label="${t.users.menuOf(username)}">${icon('more')}</summary><div class="entries">${entries}</div></details>`
}

export const standingOf = (context: PageContext, user: UserRow): string =>
  user.disabled_at === null ? roleOf(context, user) : context.t.users.disabled

function roleOf(
  { t }: PageContext,
  { is_admin, is_editor }: Pick<UserRow, 'is_admin' | 'is_editor'>,
): string {
  if (is_admin === 1) return t.users.administrator
  return is_editor === 1 ? t.users.editor : t.users.member
}

/** The user in the path. Throws the 404 page. */
export async function userIn(visit: MemberVisit): Promise<UserRow> {
  const user = await findUserRow(visit.deps.read, pathId(visit))
  if (user === undefined) throw pageNotFound()
  return user
}

interface UsersPage {
  readonly text: string
  readonly page: number
  readonly kind: UserKind | undefined
  readonly hasMore: boolean
}

function pager({ t, basePath }: PageContext, at: UsersPage): Markup {
  const link = (page: number, rel: string, label: string) => {
    const query = new URLSearchParams({
      ...(at.text === '' ? {} : { q: at.text }),
      ...(at.kind && { kind: at.kind }),
      page: String(page),
    })
    return html`<a href="${basePath}/admin/users?${query.toString()}" rel="${rel}">${label}</a>`
  }
  return html`<p>
    ${at.page > 1 ? link(at.page - 1, 'prev', t.common.previous) : ''}
    ${at.hasMore ? link(at.page + 1, 'next', t.common.next) : ''}
  </p>`
}
