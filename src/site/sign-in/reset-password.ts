import { resetPassword } from '../../accounts/account/new-password'
import { askForReset } from '../../accounts/account/reset-by-mail'
import { findLink } from '../../accounts/sign-in/one-time-link'
import { html } from '../../pages/html'
import { anyone } from '../../web/access'
import { textField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { revokeTokensField } from '../account/password'
import { tooOften } from '../too-often'
import { byMailSetting } from '../with-mail'
import { newPasswordField } from './account-fields'
import { linkProblem } from './link-problem'

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
  show: ({ look: { t } }, form) => ({
    title: t.resetPassword.title,
    main: html`
      <h1>${t.resetPassword.title}</h1>
      <p>
        ${t.resetPassword.explained}
      </p>
      ${form}`,
  }),
  submit: async (visit, { name }) => {
    const { deps, arrival, look } = visit
    if (deps.mail === undefined) throw pageNotFound()
    const wait = await askForReset(deps, deps.mail, { name, address: arrival.peer, language: look.language })
    if (wait > 0) throw tooOften(wait)
    deps.log('reset_asked', { id: arrival.id })
    return linkSentPage(visit)
  },
})

const byAdministrator = definePage({
  path: '/reset_password',
  access: anyone,
  show: ({ look: { t } }) => ({
    title: t.resetPassword.title,
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

/** The same answer whether or not the account exists (oauth.md §2.1). */
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
  show: ({ look: { t } }, form) => ({
    title: t.resetPassword.choose,
    main: html`
      <h1>${t.resetPassword.choose}</h1>
      <p>${t.resetPassword.signsOut}</p>
      ${form}`,
  }),
  submit: async (visit, { password, revoke_tokens }) => {
    const { deps, params, arrival, look } = visit
    const chosen = { password, revokesTokens: revoke_tokens, language: look.language }
    const user = await resetPassword(deps, params.link ?? '', chosen)
    if (user === undefined) throw invalidLink()
    deps.log('password_reset', { id: arrival.id, user, tokens: revoke_tokens })
    return passwordChangedPage(visit)
  },
})

function linkSentPage({ look: { t } }: Visit) {
  const title = t.common.checkMail
  return { title, main: html`<h1>${title}</h1><p>${t.resetPassword.sent}</p>` }
}

function passwordChangedPage({ look: { t, basePath } }: Visit) {
  const title = t.password.changed
  return {
    title,
    main: html`<h1>${title}</h1><p><a href="${basePath}/sign_in">${t.signIn.title}</a></p>`,
  }
}

const invalidLink = () => linkProblem((t) => t.resetPassword.newLink)
