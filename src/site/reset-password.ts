import { resetPassword } from '../accounts/new-password'
import { findLink } from '../accounts/one-time-link'
import { askForReset } from '../accounts/reset-by-mail'
import { words } from '../lib/words'
import { html } from '../pages/html'
import { anyone } from '../web/access'
import { textField } from '../web/fields'
import { defineForm } from '../web/form'
import { definePage } from '../web/page'
import { pageNotFound } from '../web/problem'
import type { Visit } from '../web/visit'
import { newPasswordField } from './account-fields'
import { linkProblem } from './link-problem'
import { revokeTokensField } from './password'
import { tooOften } from './too-often'
import { withMailElse } from './with-mail'

const byMail = defineForm({
  path: '/reset_password',
  access: anyone,
  fields: {
    name: textField({
      label: words('Username or e-mail address', 'ユーザー名またはメールアドレス'),
      limit: 254,
      autocomplete: 'username',
    }),
  },
  button: words('Send me a link', 'リンクを送信'),
  show: ({ look: { say } }, form) => ({
    title: say('A new password', 'パスワードの再設定'),
    main: html`
      <h1>${say('A new password', 'パスワードの再設定')}</h1>
      <p>
        ${say(
          'A link with which you choose a new password is sent to the e-mail address of your account.',
          'アカウントのメールアドレスに、新しいパスワードを設定するためのリンクを送ります。',
        )}
      </p>
      ${form}`,
  }),
  submit: async (visit, { name }) => {
    const { deps, arrival, look } = visit
    if (deps.mail === undefined) throw pageNotFound()
    const wait = await askForReset(deps, deps.mail, { name, address: arrival.peer, language: look.language })
    if (wait > 0) throw tooOften(wait)
    deps.log('reset_asked', { id: arrival.id })
    return sent(visit)
  },
})

const byAdministrator = definePage({
  path: '/reset_password',
  access: anyone,
  show: ({ look: { say } }) => ({
    title: say('A new password', 'パスワードの再設定'),
    main: html`
      <h1>${say('A new password', 'パスワードの再設定')}</h1>
      <p>
        ${say(
          'This site sends no mail. Ask its administrator for a link with which you choose a new password.',
          'このサイトはメールを送信しません。新しいパスワードを設定するためのリンクを管理者に依頼してください。',
        )}
      </p>
      <p>
        ${say('The administrator makes one under “Users”, or by', '管理者は「ユーザー」のページ、または次のコマンドで作成できます。')}
        <code>kiroku user reset-password USERNAME</code>
      </p>`,
  }),
})

/** GET and POST /reset_password: the same answer for every name, whether there is such an account or not (oauth.md §2.1). */
export const resetRequest = withMailElse(byMail, [byAdministrator])

/** GET and POST /reset_password/:link */
export const reset = defineForm({
  path: '/reset_password/:link',
  access: async (visit: Visit) => {
    const { deps, params } = visit
    if (await findLink(deps.read, 'reset', params.link ?? '', deps.now())) return visit
    throw gone()
  },
  fields: { password: newPasswordField, revoke_tokens: revokeTokensField },
  button: words('Use this password', 'このパスワードを設定'),
  show: ({ look: { say } }, form) => ({
    title: say('Choose a new password', '新しいパスワードの設定'),
    main: html`
      <h1>${say('Choose a new password', '新しいパスワードの設定')}</h1>
      <p>${say('You are signed out everywhere then.', '設定すると、すべてのブラウザーでログアウトされます。')}</p>
      ${form}`,
  }),
  submit: async (visit, { password, revoke_tokens }) => {
    const { deps, params, arrival, look } = visit
    const chosen = { password, revokesTokens: revoke_tokens, language: look.language }
    const user = await resetPassword(deps, params.link ?? '', chosen)
    if (user === undefined) throw gone()
    deps.log('password_reset', { id: arrival.id, user, tokens: revoke_tokens })
    return done(visit)
  },
})

function sent({ look: { say } }: Visit) {
  const title = say('Check your mail', 'メールをご確認ください')
  const text = say(
    'If there is such an account and it has a confirmed address, a link is on its way there. It is good for an hour.',
    '該当するアカウントに確認済みのメールアドレスがあれば、リンクを送信しました。有効期限は1時間です。',
  )
  return { title, main: html`<h1>${title}</h1><p>${text}</p>` }
}

function done({ look: { say, basePath } }: Visit) {
  const title = say('You have a new password', '新しいパスワードを設定しました')
  return {
    title,
    main: html`<h1>${title}</h1><p><a href="${basePath}/sign_in">${say('Sign in', 'ログイン')}</a></p>`,
  }
}

const gone = () =>
  linkProblem(
    words(
      'Ask for another one at “Forgot your password?”.',
      '「パスワードを忘れた場合」からやり直してください。',
    ),
  )
