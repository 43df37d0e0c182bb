import { changePassword } from '../../accounts/account/new-password'
import { html } from '../../pages/html'
import { titled } from '../../pages/layout'
import { checkbox } from '../../web/fields'
import { defineForm } from '../../web/form'
import { member } from '../../web/page'
import { currentPasswordField, newPasswordField } from '../sign-in/account-fields'
import { provePassword, renew } from '../sign-in/confirm'

export const revokeTokensField = checkbox({
  label: (t) => t.password.revokeTokens,
  hint: (t) => t.password.revokeTokensHint,
})

export const password = defineForm({
  path: '/settings/password',
  access: member,
  fields: {
    current_password: currentPasswordField,
    password: newPasswordField,
    revoke_tokens: revokeTokensField,
  },
  button: (t) => t.password.change,
  show: ({ t }, form) => ({
    title: t.account.password,
    main: html`
      <h1>${t.account.password}</h1>
      <p>
        ${t.password.signsOutElsewhere}
      </p>
      ${form}`,
  }),
  submit: async (visit, values) => {
    const { deps, session, context, t, basePath } = visit
    await provePassword(visit, values.current_password, 'current_password')
    const chosen = {
      password: values.password,
      revokesTokens: values.revoke_tokens,
      language: visit.language,
    }
    await changePassword(deps, { userId: session.userId, sessionId: session.id }, chosen)
    await renew(visit)
    deps.log('password_changed', { id: context.id, user: session.userId, tokens: chosen.revokesTokens })
    const back = html`<p><a href="${basePath}/settings">${t.common.backToSettings}</a></p>`
    return titled(t.password.changed, back)
  },
})
