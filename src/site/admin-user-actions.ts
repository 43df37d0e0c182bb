import { createResetLink } from '../accounts/new-password'
import { changeStanding, type StandingChange } from '../accounts/standing'
import { type Words, words } from '../lib/words'
import { html } from '../pages/html'
import { administrator } from '../web/access'
import { defineAction, defineForm } from '../web/form'
import { seeOther } from '../web/page'
import { PageProblem } from '../web/problem'
import type { MemberVisit } from '../web/visit'
import { adminUsersPath, userIn } from './admin-users'
import { confirmation } from './confirmation'

/** What an administrator is asked before a change of somebody's account. */
interface StandingQuestion {
  readonly button: Words
  title(username: string): Words
  readonly text: Words
  readonly isDestructive?: true
}

const questions: Readonly<Record<Exclude<StandingChange, 'enable'>, StandingQuestion>> = {
  disable: {
    button: words('Disable the account', 'アカウントを停止する'),
    title: (name) => words(`Disable the account of ${name}?`, `${name} のアカウントを停止しますか？`),
    text: words(
      'It is signed out everywhere and its tokens are refused at once. You can enable it again.',
      'すべてのブラウザーでログアウトされ、トークンもすぐに使えなくなります。停止はあとで解除できます。',
    ),
    isDestructive: true,
  },
  promote: {
    button: words('Make an administrator', '管理者にする'),
    title: (name) => words(`Make ${name} an administrator?`, `${name} を管理者にしますか？`),
    text: words(
      'Administrators see e-mail addresses, invite people, and disable accounts, yours too.',
      '管理者は、メールアドレスの閲覧、招待、あなたを含むアカウントの停止ができます。',
    ),
  },
  demote: {
    button: words('Make an ordinary user', '管理者から外す'),
    title: (name) => words(`Make ${name} an ordinary user?`, `${name} を管理者から外しますか？`),
    text: words(
      'The account stays, without the rights of an administrator. It is signed out everywhere.',
      'アカウントは残りますが、管理者の権限がなくなります。すべてのブラウザーでログアウトされます。',
    ),
    isDestructive: true,
  },
}

/** GET and POST of what changes an account; the way back needs no question. */
export const adminUserActions = [
  ...standingForm('disable'),
  ...standingForm('promote'),
  ...standingForm('demote'),
  defineAction({
    path: `${adminUsersPath}/:id/enable`,
    access: administrator,
    run: (visit) => change(visit, 'enable'),
  }),
  ...defineForm({
    path: `${adminUsersPath}/:id/reset_password`,
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
          <p><a href="${look.basePath}${adminUsersPath}">${look.say('Back to the users', 'ユーザー一覧へ戻る')}</a></p>`,
      }
    },
  }),
]

const newPasswordFor = ({ look: { say } }: MemberVisit, username: string) =>
  say(`A new password for ${username}`, `${username} のパスワード再設定`)

function standingForm(asked: Exclude<StandingChange, 'enable'>) {
  const { button, title, text, isDestructive } = questions[asked]
  return defineForm({
    path: `${adminUsersPath}/:id/${asked}`,
    access: administrator,
    fields: {},
    button,
    ...(isDestructive && { isDestructive }),
    show: async (visit, form) => {
      const { id, username } = await userIn(visit)
      if (id === visit.session.userId) throw ownAccount()
      return confirmation(visit, form, { title: title(username), text, back: `${adminUsersPath}/${id}` })
    },
    submit: (visit) => change(visit, asked),
  })
}

async function change(visit: MemberVisit, asked: StandingChange): Promise<Response> {
  const { deps, arrival, session } = visit
  const { id } = await userIn(visit)
  const changed = await changeStanding(deps, id, asked)
  deps.log('standing', { id: arrival.id, user: id, change: asked, outcome: changed, by: session.userId })
  if (changed === 'last') throw lastAdministrator()
  return seeOther(visit, `${adminUsersPath}/${id}`)
}

const ownAccount = () =>
  new PageProblem(
    409,
    words('This is your own account', 'あなた自身のアカウントです'),
    words(
      'Only another administrator can disable it or take the role away.',
      '停止したり管理者から外したりできるのは、ほかの管理者だけです。',
    ),
  )

const lastAdministrator = () =>
  new PageProblem(
    409,
    words('This is the last administrator', '最後の管理者です'),
    words(
      'Without an administrator nobody could look after the site. Make somebody else one first.',
      '管理者がいなくなるため、この操作はできません。先にほかの人を管理者にしてください。',
    ),
  )
