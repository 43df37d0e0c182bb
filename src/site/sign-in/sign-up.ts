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
import type { PageContent } from '../../pages/layout'
import { defineForm } from '../../web/form'
import type { AccessCheck } from '../../web/page'
import { seeOther } from '../../web/page'
import { PageProblem, pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { tooOften } from '../too-often'
import { withMailElse } from '../with-mail'
import { emailField, newPasswordField, ownedPassword, usernameField } from './account-fields'
import { linkProblem } from './link-problem'
import { begin } from './sign-in'

/** Somebody who may make an account, by an invitation or none. */
interface Joining extends Visit {
  readonly invitationId: number | null
}

/** Everybody where registration is open. */
function openToAll(visit: Visit): Joining {
  const { registration } = visit.deps.config
  if (registration === 'open') return { ...visit, invitationId: null }
  throw registration === 'invite' ? byInvitationOnly() : closed()
}

/** Whoever has an invitation that is good. */
async function invited(visit: Visit): Promise<Joining> {
  const { deps, params } = visit
  if (deps.config.registration === 'closed') throw closed()
  const invitationId = await findInvitation(deps.read, params.code ?? '', deps.now())
  if (invitationId === undefined) throw usedUp()
  return { ...visit, invitationId }
}

/** Whoever has a link that was sent to an address. */
async function atAddress(visit: Visit): Promise<Joining & { readonly email: string }> {
  const { deps, params } = visit
  const { email = null, invitationId = null } =
    (await findLink(deps.read, 'sign_up', params.link ?? '', deps.now())) ?? {}
  if (email === null) throw usedUp()
  if (invitationId === null) openToAll(visit)
  if (deps.config.registration === 'closed') throw closed()
  return { ...visit, invitationId, email }
}

/** GET and POST /sign_up and /invitations/:code: without mail the account is made at once, else the address is proved first. */
export const signUp = [...joining('/sign_up', openToAll), ...joining('/invitations/:code', invited)]

/** GET and POST /sign_up/:link */
export const signUpAtAddress = defineForm({
  path: '/sign_up/:link',
  access: atAddress,
  fields: { username: usernameField, password: newPasswordField },
  button: (t) => t.signUp.button,
  checkTogether: ({ email }, values) => ownedPassword({ ...values, email }),
  show: (visit, form) => framed(visit, html`<p>${visit.email}</p>${form}`),
  submit: (visit, values) =>
    join(visit, { ...values, email: visit.email, isAdmin: false }, visit.params.link),
})

function joining(path: string, access: AccessCheck<Joining>) {
  const byMail = defineForm({
    path,
    access,
    fields: { email: emailField },
    button: (t) => t.common.sendLink,
    show: (visit, form) => framed(visit, form),
    submit: (visit, { email }) => askByMail(visit, email),
  })
  const atOnce = defineForm({
    path,
    access,
    fields: { username: usernameField, email: emailField, password: newPasswordField },
    button: (t) => t.signUp.button,
    checkTogether: (_, values) => ownedPassword(values),
    show: (visit, form) => framed(visit, form),
    submit: (visit, values) => join(visit, { ...values, isAdmin: false, isEmailUnproved: true }, undefined),
  })
  return withMailElse(byMail, atOnce)
}

function framed({ pageContext: { t } }: Visit, form: Markup): PageContent {
  const title = t.signUp.title
  return { title, main: html`<h1>${title}</h1>${form}` }
}

/** The same answer for every address, whether it has an account or not (oauth.md §2.1). */
async function askByMail(visit: Joining, email: string): Promise<PageContent> {
  const { deps, context, pageContext, invitationId } = visit
  if (deps.mail === undefined) throw pageNotFound()
  await count(visit)
  await askToSignUp(deps, deps.mail, { email, invitationId, language: pageContext.language })
  deps.log('sign_up_asked', { id: context.id })
  const title = pageContext.t.common.checkMail
  return { title, main: html`<h1>${title}</h1><p>${pageContext.t.signUp.sent}</p>` }
}

async function join(visit: Joining, asked: NewUser, link: Entitlement['link']): Promise<Response> {
  const { deps, context, invitationId } = visit
  const attempt = await count(visit)
  const user = await makeAccount(deps, asked, { link, invitationId, attempt })
  if (user === undefined) throw usedUp()
  deps.log('sign_up', { id: context.id, user, invitation: invitationId })
  await begin(visit, user)
  return seeOther(visit, '/')
}

async function count({ deps, context }: Joining): Promise<Attempt> {
  const attempt = await countSignUp(deps, context.peer)
  if (attempt.wait > 0) throw tooOften(attempt.wait)
  return attempt
}

const closed = () =>
  new PageProblem(
    403,
    (t) => t.signUp.closedTitle,
    (t) => t.signUp.closed,
  )

const byInvitationOnly = () =>
  new PageProblem(
    403,
    (t) => t.signUp.invitationTitle,
    (t) => t.signUp.invitation,
  )

const usedUp = () => linkProblem((t) => t.signUp.newLink)
