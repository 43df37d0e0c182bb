import { resetPassword } from '../../accounts/account/new-password'
import { askForReset } from '../../accounts/account/reset-by-mail'
import { findLink } from '../../accounts/sign-in/one-time-link'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import { titled } from '../../pages/layout'
import { checkbox, textField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { revokeTokensField } from '../account/password'
import { linkProblem, tooOften } from '../too-often'
import { byMailSetting, eitherPages } from '../with-mail'
import { newPasswordField, refusePasswords } from './account-fields'

const byMail = defineForm({
  path: '/reset_password',
  access: refusePasswords,
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
  access: refusePasswords,
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

interface ResetVisit extends Visit {
  /** When each of the account's passkeys and identities was added. */
  readonly others: readonly number[]
}

const usualFields = { password: newPasswordField, revoke_tokens: revokeTokensField }

/** With other ways in, whoever lost the password may have lost those too, or somebody else has added one. */
export const reset = eitherPages(
  async (visit) => (await readLink(visit)).others.length === 0,
  defineForm({ ...resetForm(), fields: usualFields }),
  defineForm({
    ...resetForm(),
    fields: {
      ...usualFields,
      remove_others: checkbox({
        label: (t) => t.resetPassword.removeOthers,
        hint: (t) => t.resetPassword.removeOthersHint,
      }),
    },
    initial: ({ others, now }) => {
      const isYoung = others.some((addedAt) => now - addedAt < 30 * 86_400_000)
      return isYoung ? { remove_others: '1' } : {}
    },
  }),
)

function resetForm() {
  return {
    path: '/reset_password/:link',
    access: (visit: Visit) => readLink(refusePasswords(visit)),
    button: (t: Messages) => t.resetPassword.button,
    show: ({ t }: ResetVisit, form: Markup) => {
      const content = html`<p>${t.resetPassword.signsOut}</p>${form}`
      return { ...titled(t.resetPassword.choose, content), isBare: true }
    },
    submit: async (
      visit: ResetVisit,
      chosen: { password: string; revoke_tokens: boolean; remove_others?: boolean },
    ) => {
      const { deps, params, context, t, basePath, language } = visit
      const { password, revoke_tokens: revokesTokens, remove_others: removesOthers = false } = chosen
      const changes = { password, revokesTokens, removesOthers, language }
      const user = await resetPassword(deps, params.link ?? '', changes)
      if (user === undefined) throw invalidLink()
      deps.log('password_reset', { id: context.id, user, tokens: revokesTokens, others: removesOthers })
      const next = html`<p><a href="${basePath}/sign_in">${t.signIn.title}</a></p>`
      return { ...titled(t.password.changed, next), isBare: true }
    },
  }
}

async function readLink(visit: Visit): Promise<ResetVisit> {
  const { deps, params } = visit
  const link = await findLink(deps.read, 'reset', params.link ?? '', deps.now())
  if (link === undefined) throw invalidLink()
  const addedTo = (table: 'passkeys' | 'identities') =>
    deps.read
      .selectFrom(table)
      .select('created_at')
      .where('user_id', '=', link.userId ?? 0)
      .execute()
  const others = [...(await addedTo('passkeys')), ...(await addedTo('identities'))]
  return { ...visit, others: others.map(({ created_at }) => created_at) }
}

const invalidLink = () => linkProblem((t) => t.resetPassword.newLink)
