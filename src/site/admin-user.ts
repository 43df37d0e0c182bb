import { createResetLink } from '../accounts/new-password'
import { changeStanding, type StandingChange } from '../accounts/standing'
import { findUserRow } from '../accounts/user-rows'
import { words } from '../lib/words'
import { html } from '../pages/html'
import { administrator } from '../web/access'
import { defineAction, defineForm } from '../web/form'
import { seeOther } from '../web/page'
import { pathId } from '../web/path-id'
import { PageProblem, pageNotFound } from '../web/problem'
import type { MemberVisit } from '../web/visit'

/** What /admin/users leads to. */
export const adminUserActions = [
  standingAction('disable'),
  standingAction('enable'),
  standingAction('promote'),
  standingAction('demote'),
  ...defineForm({
    path: '/admin/users/:id/reset_password',
    access: administrator,
    fields: {},
    button: words('Make the link', 'リンクを作成'),
    once: true,
    show: async (visit, form) => {
      const { username } = await userIn(visit)
      const { say } = visit.look
      const title = newPasswordFor(visit, username)
      const then = say(
        'A link lets somebody choose it. Links made before end at once.',
        'リンクを開くと新しいパスワードを設定できます。以前に作成したリンクは使えなくなります。',
      )
      return { title, main: html`<h1>${title}</h1><p>${then}</p>${form}` }
    },
    submit: async (visit) => {
      const { deps, arrival, session, look } = visit
      const { id, username } = await userIn(visit)
      const link = await createResetLink(deps, id)
      deps.log('reset_link', { id: arrival.id, user: id, by: session.userId })
      const title = newPasswordFor(visit, username)
      const explained = look.say(
        'Whoever opens this link chooses a new password. It is good once, for an hour, and shown only now.',
        'このリンクを開いた人が新しいパスワードを設定できます。1回だけ、1時間有効で、今しか表示されません。',
      )
      return {
        title,
        main: html`<h1>${title}</h1>
          <div class="once"><p>${explained}</p><p><code id="link">${deps.config.baseUrl}/reset_password/${link}</code></p></div>
          <p><a href="${look.basePath}/admin/users">${look.say('Back to the users', 'ユーザー一覧へ戻る')}</a></p>`,
      }
    },
  }),
]

const newPasswordFor = ({ look: { say } }: MemberVisit, username: string) =>
  say(`A new password for ${username}`, `${username} のパスワード再設定`)

function standingAction(change: StandingChange) {
  return defineAction({
    path: `/admin/users/:id/${change}`,
    access: administrator,
    run: async (visit) => {
      const { deps, arrival, session } = visit
      const { id } = await userIn(visit)
      const changed = await changeStanding(deps, id, change)
      deps.log('standing', { id: arrival.id, user: id, change, outcome: changed, by: session.userId })
      if (changed === 'last') throw lastAdministrator()
      return seeOther(visit, '/admin/users')
    },
  })
}

async function userIn(visit: MemberVisit) {
  const user = await findUserRow(visit.deps.read, pathId(visit))
  if (user === undefined) throw pageNotFound()
  return user
}

const lastAdministrator = () =>
  new PageProblem(
    409,
    words('This is the last administrator', '最後の管理者です'),
    words(
      'Without an administrator nobody could look after the site. Make somebody else one first.',
      '管理者がいなくなるため、この操作はできません。先にほかの人を管理者にしてください。',
    ),
  )
