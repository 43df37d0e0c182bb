import { findUserRow, pageOfUsers, type UserRow } from '../../accounts/account/user-rows'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { day } from '../../pages/moment'
import { table } from '../../pages/table'
import { administrator, definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId, queryText } from '../../web/visit'

export const adminUsersPath = '/admin/users'

/** Query parameters: `q` and `page`. */
export const adminUsers = definePage({
  path: adminUsersPath,
  access: administrator,
  show: async (visit) => {
    const text = queryText(visit, 'q').trim()
    const page = pageNumber(queryText(visit, 'page'))
    const { users, hasMore } = await pageOfUsers(visit.deps.read, { text, page })
    const title = visit.t.users.title
    return {
      title,
      main: html`
        <h1>${title}</h1>
        ${search(visit, text)}
        ${users.length === 0 ? html`<p>${visit.t.users.none}</p>` : userTable(visit, users)}
        ${pager(visit, { text, page, hasMore })}`,
    }
  },
})

/** Anything but a number means page 1; a page beyond the end is empty. */
const pageNumber = (text: string) => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 1)

const search = ({ t, basePath }: PageContext, text: string) =>
  html`<form class="finder" method="get" action="${basePath}/admin/users">
    <div class="field">
      <label for="q">${t.account.username}</label>
      <input type="text" id="q" name="q" value="${text}" autocapitalize="off" spellcheck="false" />
    </div>
    <button>${t.common.search}</button>
  </form>`

/** Actions are on each user's own page, where nobody picks the wrong row. */
function userTable(pageContext: PageContext, users: readonly UserRow[]): Markup {
  const { t, basePath } = pageContext
  const link = ({ id, username }: UserRow) =>
    html`<a href="${basePath}${adminUsersPath}/${id}">${username}</a>`
  return table(users, [
    [t.account.username, link],
    [t.account.email, ({ email }) => email],
    [t.users.joined, ({ created_at }) => day(pageContext, created_at)],
    [t.users.status, (user) => standingOf(pageContext, user)],
  ])
}

export function standingOf({ t }: PageContext, { is_admin, disabled_at }: UserRow): string {
  if (disabled_at !== null) return t.users.disabled
  return is_admin === 1 ? t.users.administrator : t.users.user
}

/** The user in the path. Throws the 404 page. */
export async function userIn(visit: MemberVisit): Promise<UserRow> {
  const user = await findUserRow(visit.deps.read, pathId(visit))
  if (user === undefined) throw pageNotFound()
  return user
}

function pager({ t, basePath }: PageContext, at: { text: string; page: number; hasMore: boolean }): Markup {
  const link = (page: number, rel: string, label: string) => {
    const query = new URLSearchParams({ ...(at.text === '' ? {} : { q: at.text }), page: String(page) })
    return html`<a href="${basePath}/admin/users?${query.toString()}" rel="${rel}">${label}</a>`
  }
  return html`<p>
    ${at.page > 1 ? link(at.page - 1, 'prev', t.common.previous) : ''}
    ${at.hasMore ? link(at.page + 1, 'next', t.common.next) : ''}
  </p>`
}
