import { findInvitation } from '../../accounts/account/invitation'
import { askToJoin, longestAnswer } from '../../accounts/account/join-request'
import {
  askToSignUp,
  countSignUp,
  type Entitlement,
  signUp as makeAccount,
} from '../../accounts/account/sign-up'
import type { NewUser } from '../../accounts/account/user'
import { instanceText } from '../../accounts/instance-text'
import { findLink } from '../../accounts/sign-in/one-time-link'
import type { Attempt } from '../../accounts/sign-in/throttle'
import { html, type Markup } from '../../pages/html'
import { type PageContent, titled } from '../../pages/layout'
import { linesField } from '../../web/fields'
import { defineAction, defineForm } from '../../web/form'
import { type AccessCheck, definePage, type PageRoute, seeOther } from '../../web/page'
import { PageProblem, pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { linkProblem, tooOften } from '../too-often'
import { byMailSetting, eitherPages } from '../with-mail'
import {
  emailField,
  newPasswordField,
  passwordForOwner,
  refusePasswords,
  usernameField,
} from './account-fields'
import { otherWays, providerLinks } from './provider-links'
import { beginSession } from './sign-in'

/** `invitationId` is null without an invitation: where registration is open, or an administrator decides. */
interface SignUpVisit extends Visit {
  readonly invitationId: number | null
  /** Of the invitation. */
  readonly code?: string | undefined
}

function ifOpen(visit: Visit): SignUpVisit {
  const { registration } = visit.deps.config
  if (registration === 'open' || registration === 'approve') return { ...visit, invitationId: null }
  throw registration === 'invite' ? byInvitationOnly() : closed()
}

async function ifInvited(visit: Visit): Promise<SignUpVisit> {
  const { deps, params } = visit
  if (deps.config.registration === 'closed') throw closed()
  const invitationId = await findInvitation(deps.read, params.code ?? '', deps.now())
  if (invitationId === undefined) throw invalidLink()
  return { ...visit, invitationId, code: params.code }
}

async function ifAddressProved(visit: Visit): Promise<SignUpVisit & { readonly email: string }> {
  refusePasswords(visit)
  const { deps, params } = visit
  const { email = null, invitationId = null } =
    (await findLink(deps.read, 'sign_up', params.link ?? '', deps.now())) ?? {}
  if (email === null) throw invalidLink()
  if (invitationId === null) ifOpen(visit)
  if (deps.config.registration === 'closed') throw closed()
  return { ...visit, invitationId, email }
}

/** With registration `approve`, whoever has no invitation answers a question and waits. */
const decides = ({ deps }: Visit) => deps.config.registration === 'approve'

/** Without mail the account is created at once, otherwise the address is confirmed first. */
export const signUp = [
  ...orByProvider(
    byMailSetting(byMail('/sign_up', ifOpen), eitherPages(decides, asking(), atOnce('/sign_up', ifOpen))),
    ifOpen,
  ),
  ...orByProvider(
    byMailSetting(byMail('/invitations/:code', ifInvited), atOnce('/invitations/:code', ifInvited)),
    ifInvited,
  ),
]

/** With `--password-sign-in off`, providers alone, and a form that was open meanwhile is refused (D104). */
function orByProvider(routes: readonly PageRoute[], access: AccessCheck<SignUpVisit>): readonly PageRoute[] {
  const show = (visit: SignUpVisit) => pageWithForm(visit, undefined)
  return eitherPages(({ deps }) => deps.config.passwordSignIn, routes, [
    definePage({ path: '', access, show }),
    defineAction({ path: '', access, run: (visit) => show(refusePasswords(visit)) }),
  ])
}

export const signUpAtAddress = eitherPages(
  async (visit) => decides(visit) && (await ifAddressProved(visit)).invitationId === null,
  defineForm({
    path: '/sign_up/:link',
    access: ifAddressProved,
    fields: { answer: answerField(), username: usernameField, password: newPasswordField },
    button: (t) => t.signUp.ask,
    checkTogether: ({ email }, values) => passwordForOwner({ ...values, email }),
    show: (visit, form) => questionPage(visit, html`<p>${visit.email}</p>${form}`),
    submit: (visit, values) => askWith(visit, { ...values, email: visit.email }, visit.params.link),
  }),
  defineForm({
    path: '/sign_up/:link',
    access: ifAddressProved,
    fields: { username: usernameField, password: newPasswordField },
    button: (t) => t.signUp.button,
    checkTogether: ({ email }, values) => passwordForOwner({ ...values, email }),
    show: (visit, form) => pageWithForm(visit, html`<p>${visit.email}</p>${form}`),
    submit: (visit, values) =>
      signUpWith(visit, { ...values, email: visit.email, isAdmin: false }, visit.params.link),
  }),
)

export function answerField() {
  return linesField({ label: (t) => t.signUp.answer, limit: longestAnswer })
}

function byMail(path: string, access: AccessCheck<SignUpVisit>) {
  return defineForm({
    path,
    access,
    fields: { email: emailField },
    button: (t) => t.common.sendLink,
    show: pageWithForm,
    submit: (visit, { email }) => askByMail(visit, email),
  })
}

function asking() {
  return defineForm({
    path: '/sign_up',
    access: ifOpen,
    fields: {
      answer: answerField(),
      username: usernameField,
      email: emailField,
      password: newPasswordField,
    },
    button: (t) => t.signUp.ask,
    checkTogether: (_, values) => passwordForOwner(values),
    show: questionPage,
    submit: (visit, values) => askWith(visit, values, undefined),
  })
}

function atOnce(path: string, access: AccessCheck<SignUpVisit>) {
  return defineForm({
    path,
    access,
    fields: { username: usernameField, email: emailField, password: newPasswordField },
    button: (t) => t.signUp.button,
    checkTogether: (_, values) => passwordForOwner(values),
    show: pageWithForm,
    submit: (visit, values) =>
      signUpWith(visit, { ...values, isAdmin: false, isEmailUnproved: true }, undefined),
  })
}

function pageWithForm(visit: SignUpVisit, form: Markup | undefined): PageContent {
  const { t, invitationId, code } = visit
  const title = decides(visit) && invitationId === null ? t.signUp.askTitle : t.signUp.title
  const query = code === undefined ? '' : `?invitation=${encodeURIComponent(code)}`
  const ways = otherWays(visit, providerLinks(visit, query), form !== undefined)
  return { ...titled(title, html`<p>${t.home.explained}</p>${form ?? ''}${ways}`), isBare: true }
}

async function questionPage(visit: SignUpVisit, form: Markup): Promise<PageContent> {
  const { t } = visit
  const asked = html`<p>${t.signUp.decided}</p><p class="note">${await questionIn(visit)}</p>`
  return pageWithForm(visit, html`${asked}${form}`)
}

export const questionIn = async ({ deps, t }: Visit): Promise<string> =>
  (await instanceText(deps.read)).question || t.signUp.question

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

async function askWith(
  visit: SignUpVisit,
  { answer, ...account }: Omit<NewUser, 'isAdmin'> & { readonly answer: string },
  link: Entitlement['link'],
): Promise<PageContent> {
  const { deps, context, language, t } = visit
  const attempt = await countAttempt(visit)
  const asked = { ...account, isAdmin: false, isEmailUnproved: link === undefined }
  const said = { question: await questionIn(visit), answer, language }
  if (!(await askToJoin(deps, asked, { link, attempt, ...said }))) throw invalidLink()
  deps.log('join_asked', { id: context.id })
  const then = link === undefined ? t.signUp.askedWithoutMail : t.signUp.askedByMail
  return { ...titled(t.signUp.askedTitle, html`<p>${then}</p>`), isBare: true }
}

export async function countAttempt({ deps, context }: Visit): Promise<Attempt> {
  const attempt = await countSignUp(deps, context.peer)
  if (attempt.wait > 0) throw tooOften(attempt.wait)
  return attempt
}

const closed = () => new PageProblem(403, (t) => [t.signUp.closedTitle, t.signUp.closed])

const byInvitationOnly = () => new PageProblem(403, (t) => [t.signUp.invitationTitle, t.signUp.invitation])

const invalidLink = () => linkProblem((t) => t.signUp.newLink)
