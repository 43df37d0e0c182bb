import { pageOfUsers, type UserRow } from '../accounts/user-rows'
import { isoTime } from '../lib/time'
import { html, type Markup } from '../pages/html'
import type { Look } from '../pages/layout'
import { table } from '../pages/table'
import { administrator } from '../web/access'
import { buttonForm } from '../web/form-markup'
import { definePage } from '../web/page'
import { queryText } from '../web/query'
import type { MemberVisit } from '../web/visit'

/** GET /admin/users, with `q` and `page`. */
export const adminUsers = definePage({
  path: '/admin/users',
  access: administrator,
  show: async (visit) => {
    const { look, deps } = visit
    const text = queryText(visit, 'q').trim()
    const page = pageNumber(queryText(visit, 'page'))
    const { users, hasMore } = await pageOfUsers(deps.read, { text, page })
    const title = look.say('Users', 'ユーザー')
    return {
      title,
      main: html`
        <h1>${title}</h1>
        ${search(look, text)}
        ${users.length === 0 ? html`<p>${look.say('There is nobody here.', '該当するユーザーはいません。')}</p>` : userTable(visit, users)}
        ${pager(look, { text, page, hasMore })}`,
    }
  },
})

/** A page beyond the end is an empty one, and what is no number the first. */
const pageNumber = (text: string) => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 1)

const search = ({ say, basePath }: Look, text: string) =>
  html`<form method="get" action="${basePath}/admin/users" role="search">
    <div class="field">
      <label for="q">${say('Username', 'ユーザー名')}</label>
      <input type="text" id="q" name="q" value="${text}" autocapitalize="off" spellcheck="false" />
    </div>
    <button class="plain">${say('Search', '検索')}</button>
  </form>`

function userTable(visit: MemberVisit, users: readonly UserRow[]): Markup {
  const { say } = visit.look
  const heads = [
    say('Username', 'ユーザー名'),
    say('E-mail address', 'メールアドレス'),
    say('Since', '登録日'),
    say('Standing', '状態'),
    '',
  ]
  return table(
    heads,
    users.map((user) => userRow(visit, user)),
  )
}

function userRow(visit: MemberVisit, user: UserRow) {
  const time = isoTime(user.created_at)
  return [
    user.username,
    user.email,
    html`<time datetime="${time}">${time.slice(0, 10)}</time>`,
    standing(visit.look, user),
    html`<div class="row">${buttons(visit, user)}</div>`,
  ]
}

function standing({ say }: Look, { is_admin, disabled_at }: UserRow): string {
  if (disabled_at !== null) return say('disabled', '停止中')
  return is_admin === 1 ? say('administrator', '管理者') : say('user', 'ユーザー')
}

function buttons(visit: MemberVisit, { id, is_admin, disabled_at }: UserRow): Markup {
  const { say, basePath } = visit.look
  const button = (change: string, label: string, kind: 'plain' | 'danger' = 'plain') =>
    buttonForm(visit, `/admin/users/${id}/${change}`, label, kind)
  if (disabled_at !== null) return button('enable', say('Enable', '停止を解除'))
  return html`
    <a href="${basePath}/admin/users/${id}/reset_password">${say('New password', 'パスワード再設定')}</a>
    ${is_admin === 1 ? button('demote', say('Make an ordinary user', '管理者から外す')) : button('promote', say('Make an administrator', '管理者にする'))}
    ${button('disable', say('Disable', '停止'), 'danger')}`
}

function pager({ say, basePath }: Look, at: { text: string; page: number; hasMore: boolean }): Markup {
  const link = (page: number, rel: string, label: string) => {
    const query = new URLSearchParams({ ...(at.text === '' ? {} : { q: at.text }), page: String(page) })
    return html`<a href="${basePath}/admin/users?${query.toString()}" rel="${rel}">${label}</a>`
  }
  return html`<p>
    ${at.page > 1 ? link(at.page - 1, 'prev', say('Previous', '前へ')) : ''}
    ${at.hasMore ? link(at.page + 1, 'next', say('Next', '次へ')) : ''}
  </p>`
}
