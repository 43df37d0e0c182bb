import {
  addressOfLink,
  askForEmail,
  changeEmailUnproved,
  confirmEmail,
  emailOf,
} from '../../accounts/account/new-email'
import { html, type Markup } from '../../pages/html'
import { type PageContent, titled } from '../../pages/layout'
import { defineForm } from '../../web/form'
import { member, recent, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { MemberVisit, Visit } from '../../web/visit'
import { emailField } from '../sign-in/account-fields'
import { linkProblem, tooOften } from '../too-often'
import { byMailSetting } from '../with-mail'

const path = '/settings/email'

const byMail = defineForm({
  path,
  access: recent,
  fields: { email: emailField },
  button: (t) => t.common.sendLink,
  show: pageWithForm,
  submit: async (visit, { email }) => {
    const { deps, context, session } = visit
    if (deps.mail === undefined) throw pageNotFound()
    const wait = await askForEmail(deps, deps.mail, ownerOf(visit), { email, address: context.peer })
    if (wait > 0) throw tooOften(wait)
    deps.log('email_asked', { id: context.id, user: session.userId })
    return titled(visit.t.common.checkMail, html`<p>${visit.t.email.sent}</p>`)
  },
})

const atOnce = defineForm({
  path,
  access: recent,
  fields: { email: emailField },
  button: (t) => t.email.change,
  show: pageWithForm,
  submit: async (visit, { email }) => {
    const { deps, context, session } = visit
    await changeEmailUnproved(deps, session.userId, email)
    deps.log('email_changed', { id: context.id, user: session.userId })
    return seeOther(visit, path)
  },
})

/** A button, because virus scanners also open the links in e-mails. */
const confirmation = defineForm({
  path: `${path}/:link`,
  access: async (visit: Visit) => {
    const known = member(visit)
    const address = await addressOfLink(visit.deps, visit.params.link ?? '', known.session.userId)
    if (address === undefined) throw invalidLink()
    return { ...known, address }
  },
  fields: {},
  button: (t) => t.email.use,
  show: ({ t, address }, form) => titled(t.account.email, html`<p>${address}</p>${form}`),
  submit: async (visit) => {
    const { deps, context, session, params } = visit
    if (!(await confirmEmail(deps, params.link ?? '', ownerOf(visit)))) throw invalidLink()
    deps.log('email_changed', { id: context.id, user: session.userId })
    return seeOther(visit, path)
  },
})

/** With mail, the new address must be confirmed; without it, the change takes effect at once. */
export const email = [...byMailSetting(byMail, atOnce), ...confirmation]

async function pageWithForm({ deps, session, t }: MemberVisit, form: Markup): Promise<PageContent> {
  const { email: current, isProved } = await emailOf(deps, session.userId)
  const standing = isProved ? t.email.confirmed : t.email.unconfirmed
  return titled(t.account.email, html`<p><strong>${current}</strong><br />${standing}</p>${form}`)
}

const ownerOf = ({ session, language }: MemberVisit) => ({
  userId: session.userId,
  username: session.username,
  language: session.language ?? language,
})

const invalidLink = () => linkProblem((t) => t.email.newLink)
