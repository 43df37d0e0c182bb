import { resetPassword } from '../../accounts/account/new-password'
import { askForReset } from '../../accounts/account/reset-by-mail'
import { findLink } from '../../accounts/sign-in/one-time-link'
import { html } from '../../pages/html'
import { titled } from '../../pages/layout'
import { textField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { anyone, definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { revokeTokensField } from '../account/password'
import { linkProblem, tooOften } from '../too-often'
import { byMailSetting } from '../with-mail'
import { newPasswordField } from './account-fields'

const byMail = defineForm({
  path: '/reset_password',
  access: anyone,
  fields: {
    name: textField({
      label: (t) => t.signIn.nameOrEmail,
      limit: 254,
      autocomplete: 'username',
    }),
  },
  button: (t) => t.common.sendLink,
  show: ({ t }, form) => ({
    title: t.resetPassword.title,
    isBare: true,
    main: html`
      <h1>${t.resetPassword.title}</h1>
      <p>
        ${t.resetPassword.explained}
      </p>
      ${form}`,
  }),
  submit: async (visit, { name }) => {
    const { deps, context, t } = visit
    if (deps.mail === undefined) throw pageNotFound()
    const wait = await askForReset(deps, deps.mail, {
      name,
      address: context.peer,
      language: visit.language,
    })
    if (wait > 0) throw tooOften(wait)
    deps.log('reset_asked', { id: context.id })
    return { ...titled(t.common.checkMail, html`<p>${t.resetPassword.sent}</p>`), isBare: true }
  },
})

const byAdministrator = definePage({
  path: '/reset_password',
  access: anyone,
  show: ({ t }) => ({
    title: t.resetPassword.title,
    isBare: true,
    main: html`
      <h1>${t.resetPassword.title}</h1>
      <p>
        ${t.resetPassword.noMail}
      </p>
      <p>
        ${t.resetPassword.forAdministrators}
        <code>kiroku user reset-password USERNAME</code>
      </p>`,
  }),
})

/** Responds alike whether or not the account exists (oauth.md §2.1). */
export const resetRequest = byMailSetting(byMail, [byAdministrator])

export const reset = defineForm({
  path: '/reset_password/:link',
  access: async (visit: Visit) => {
    const { deps, params } = visit
    if (await findLink(deps.read, 'reset', params.link ?? '', deps.now())) return visit
    throw invalidLink()
  },
  fields: { password: newPasswordField, revoke_tokens: revokeTokensField },
  button: (t) => t.resetPassword.button,
  show: ({ t }, form) => ({
    title: t.resetPassword.choose,
    isBare: true,
    main: html`
      <h1>${t.resetPassword.choose}</h1>
      <p>${t.resetPassword.signsOut}</p>
      ${form}`,
  }),
  submit: async (visit, { password, revoke_tokens }) => {
    const { deps, params, context, t, basePath } = visit
    const chosen = { password, revokesTokens: revoke_tokens, language: visit.language }
    const user = await resetPassword(deps, params.link ?? '', chosen)
    if (user === undefined) throw invalidLink()
    deps.log('password_reset', { id: context.id, user, tokens: revoke_tokens })
    const next = html`<p><a href="${basePath}/sign_in">${t.signIn.title}</a></p>`
    return { ...titled(t.password.changed, next), isBare: true }
  },
})

const invalidLink = () => linkProblem((t) => t.resetPassword.newLink)
