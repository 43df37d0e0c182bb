import { changePassword } from '../accounts/new-password'
import { words } from '../lib/words'
import { html } from '../pages/html'
import { member } from '../web/access'
import { checkbox } from '../web/fields'
import { defineForm } from '../web/form'
import { currentPasswordField, newPasswordField } from './account-fields'
import { provePassword } from './prove-password'
import { renew } from './renew-session'

/** Whether the tokens of an account end with its old password. */
export const revokeTokensField = checkbox({
  label: words('Revoke all access tokens too', 'すべてのアクセストークンも取り消す'),
  hint: words(
    'Choose this if somebody else may have used the account. You will have to reconnect every application.',
    'ほかの人に使われたおそれがある場合に選んでください。アプリケーションとの連携は、すべてやり直しになります。',
  ),
})

/** GET and POST /settings/password */
export const password = defineForm({
  path: '/settings/password',
  access: member,
  fields: {
    current_password: currentPasswordField,
    password: newPasswordField,
    revoke_tokens: revokeTokensField,
  },
  button: words('Change the password', 'パスワードを変更'),
  show: ({ look: { say } }, form) => ({
    title: say('Password', 'パスワード'),
    main: html`
      <h1>${say('Password', 'パスワード')}</h1>
      <p>
        ${say(
          'With a new password you are signed out everywhere but here.',
          'パスワードを変更すると、このブラウザー以外ではログアウトされます。',
        )}
      </p>
      ${form}`,
  }),
  submit: async (visit, values) => {
    const { deps, session, arrival, look } = visit
    await provePassword(visit, values.current_password, 'current_password')
    const chosen = {
      password: values.password,
      revokesTokens: values.revoke_tokens,
      language: look.language,
    }
    await changePassword(deps, { userId: session.userId, sessionId: session.id }, chosen)
    await renew(visit)
    deps.log('password_changed', { id: arrival.id, user: session.userId, tokens: chosen.revokesTokens })
    const title = look.say('The password was changed', 'パスワードを変更しました')
    const settings = look.say('To the settings', '設定へ戻る')
    return {
      title,
      main: html`<h1>${title}</h1><p><a href="${look.basePath}/settings">${settings}</a></p>`,
    }
  },
})
