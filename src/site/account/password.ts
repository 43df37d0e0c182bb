import { changePassword, removePassword } from '../../accounts/account/new-password'
import { wayRules, waysIn } from '../../accounts/sign-in/ways-in'
import { html, type Markup } from '../../pages/html'
import { titled } from '../../pages/layout'
import { checkbox } from '../../web/fields'
import { defineForm } from '../../web/form'
import { member, recent, seeOther } from '../../web/page'
import type { MemberVisit, Visit } from '../../web/visit'
import { confirmation, dangerZone } from '../confirmation'
import { currentPasswordField, newPasswordField, refusePasswords } from '../sign-in/account-fields'
import { provePassword, renew } from '../sign-in/confirm'
import { eitherPages } from '../with-mail'

export const revokeTokensField = checkbox({
  label: (t) => t.password.revokeTokens,
  hint: (t) => t.password.revokeTokensHint,
})

const path = '/settings/password'

const change = defineForm({
  path,
  access: (visit: Visit) => member(refusePasswords(visit)),
  fields: {
    current_password: currentPasswordField,
    password: newPasswordField,
    revoke_tokens: revokeTokensField,
  },
  button: (t) => t.password.change,
  show: async (visit, form) => {
    const { t } = visit
    const content = html`<p>${t.password.signsOutElsewhere}</p>${form}${await removal(visit)}`
    return titled(t.account.password, content)
  },
  submit: async (visit, values) => {
    await provePassword(visit, values.current_password, 'current_password')
    return await choosePassword(visit, values)
  },
})

/** The first one, of an account that has come in another way. */
const setFirst = defineForm({
  path,
  access: (visit: Visit) => recent(refusePasswords(visit)),
  fields: { password: newPasswordField },
  button: (t) => t.password.set,
  show: ({ t }, form) => titled(t.account.password, html`<p>${t.password.none}</p>${form}`),
  submit: (visit, { password }) => choosePassword(visit, { password, revoke_tokens: false }),
})

const remove = defineForm({
  path: `${path}/remove`,
  access: recent,
  fields: {},
  button: (t) => t.password.remove,
  isDestructive: true,
  show: (visit, form) =>
    confirmation(visit, form, {
      title: (t) => t.password.remove,
      text: (t) => t.password.removeExplained,
      back: path,
    }),
  submit: async (visit) => {
    const { deps, session, context, language } = visit
    const rules = wayRules(deps.config)
    await removePassword(deps, { ...session, sessionId: session.id }, { rules, language })
    deps.log('password_removed', { id: context.id, user: session.userId })
    return seeOther(visit, '/settings')
  },
})

export const password = [
  ...eitherPages(({ session }) => session?.hasPassword !== false, change, setFirst),
  ...remove,
]

async function choosePassword(
  visit: MemberVisit,
  { password, revoke_tokens }: { readonly password: string; readonly revoke_tokens: boolean },
) {
  const { deps, session, context, t, basePath, language } = visit
  const chosen = { password, revokesTokens: revoke_tokens, language }
  await changePassword(deps, { userId: session.userId, sessionId: session.id }, chosen)
  await renew(visit)
  deps.log('password_changed', { id: context.id, user: session.userId, tokens: chosen.revokesTokens })
  const back = html`<p><a href="${basePath}/settings">${t.common.backToSettings}</a></p>`
  return titled(t.password.changed, back)
}

/** Offered to whoever would still come in another way (D100). */
async function removal({ deps, session, t, basePath }: MemberVisit): Promise<Markup | ''> {
  const ways = await waysIn(deps.read, session.userId, wayRules(deps.config))
  if (!ways.some(({ way }) => way !== 'password')) return ''
  return dangerZone(
    t.password.remove,
    html`<p><a class="danger" href="${basePath}${path}/remove">${t.password.remove}</a></p>`,
  )
}
