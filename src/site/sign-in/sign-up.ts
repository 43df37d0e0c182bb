import { findInvitation } from '../../accounts/account/invitation'
import {
  askToSignUp,
  countSignUp,
  type Entitlement,
  signUp as makeAccount,
} from '../../accounts/account/sign-up'
import type { NewUser } from '../../accounts/account/user'
import { findLink } from '../../accounts/sign-in/one-time-link'
import type { Attempt } from '../../accounts/sign-in/throttle'
import { html, type Markup } from '../../pages/html'
import { type PageContent, titled } from '../../pages/layout'
import { defineForm } from '../../web/form'
import { type AccessCheck, seeOther } from '../../web/page'
import { PageProblem, pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { linkProblem, tooOften } from '../too-often'
import { byMailSetting } from '../with-mail'
import { emailField, newPasswordField, passwordForOwner, usernameField } from './account-fields'
import { beginSession } from './sign-in'

/** `invitationId` is null if registration is open. */
interface SignUpVisit extends Visit {
  readonly invitationId: number | null
}

function ifOpen(visit: Visit): SignUpVisit {
  const { registration } = visit.deps.config
  if (registration === 'open') return { ...visit, invitationId: null }
  throw registration === 'invite' ? byInvitationOnly() : closed()
}

async function ifInvited(visit: Visit): Promise<SignUpVisit> {
  const { deps, params } = visit
  if (deps.config.registration === 'closed') throw closed()
  const invitationId = await findInvitation(deps.read, params.code ?? '', deps.now())
  if (invitationId === undefined) throw invalidLink()
  return { ...visit, invitationId }
}

async function ifAddressProved(visit: Visit): Promise<SignUpVisit & { readonly email: string }> {
  const { deps, params } = visit
  const { email = null, invitationId = null } =
    (await findLink(deps.read, 'sign_up', params.link ?? '', deps.now())) ?? {}
  if (email === null) throw invalidLink()
  if (invitationId === null) ifOpen(visit)
  if (deps.config.registration === 'closed') throw closed()
  return { ...visit, invitationId, email }
}

/** Without mail the account is created at once, otherwise the address is confirmed first. */
export const signUp = [...signUpForms('/sign_up', ifOpen), ...signUpForms('/invitations/:code', ifInvited)]

export const signUpAtAddress = defineForm({
  path: '/sign_up/:link',
  access: ifAddressProved,
  fields: { username: usernameField, password: newPasswordField },
  button: (t) => t.signUp.button,
  checkTogether: ({ email }, values) => passwordForOwner({ ...values, email }),
  show: (visit, form) => pageWithForm(visit, html`<p>${visit.email}</p>${form}`),
  submit: (visit, values) =>
    signUpWith(visit, { ...values, email: visit.email, isAdmin: false }, visit.params.link),
})

function signUpForms(path: string, access: AccessCheck<SignUpVisit>) {
  const byMail = defineForm({
    path,
    access,
    fields: { email: emailField },
    button: (t) => t.common.sendLink,
    show: pageWithForm,
    submit: (visit, { email }) => askByMail(visit, email),
  })
  const atOnce = defineForm({
    path,
    access,
    fields: { username: usernameField, email: emailField, password: newPasswordField },
    button: (t) => t.signUp.button,
    checkTogether: (_, values) => passwordForOwner(values),
    show: pageWithForm,
    submit: (visit, values) =>
      signUpWith(visit, { ...values, isAdmin: false, isEmailUnproved: true }, undefined),
  })
  return byMailSetting(byMail, atOnce)
}

function pageWithForm({ t }: SignUpVisit, form: Markup): PageContent {
  return { ...titled(t.signUp.title, html`<p>${t.home.explained}</p>${form}`), isBare: true }
}

/** Responds alike whether or not the address has an account (oauth.md §2.1). */
async function askByMail(visit: SignUpVisit, email: string): Promise<PageContent> {
  const { deps, context, invitationId, t } = visit
  if (deps.mail === undefined) throw pageNotFound()
  await countAttempt(visit)
  await askToSignUp(deps, deps.mail, { email, invitationId, language: visit.language })
  deps.log('sign_up_asked', { id: context.id })
  return { ...titled(t.common.checkMail, html`<p>${t.signUp.sent}</p>`), isBare: true }
}

async function signUpWith(
  visit: SignUpVisit,
  account: NewUser,
  link: Entitlement['link'],
): Promise<Response> {
  const { deps, context, invitationId } = visit
  const attempt = await countAttempt(visit)
  const user = await makeAccount(deps, account, { link, invitationId, attempt })
  if (user === undefined) throw invalidLink()
  deps.log('sign_up', { id: context.id, user, invitation: invitationId })
  await beginSession(visit, user)
  return seeOther(visit, '/welcome')
}

async function countAttempt({ deps, context }: SignUpVisit): Promise<Attempt> {
  const attempt = await countSignUp(deps, context.peer)
  if (attempt.wait > 0) throw tooOften(attempt.wait)
  return attempt
}

const closed = () => new PageProblem(403, (t) => [t.signUp.closedTitle, t.signUp.closed])

const byInvitationOnly = () => new PageProblem(403, (t) => [t.signUp.invitationTitle, t.signUp.invitation])

const invalidLink = () => linkProblem((t) => t.signUp.newLink)
