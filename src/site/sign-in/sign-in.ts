import { instanceText } from '../../accounts/instance-text'
import { deviceTime, rememberDevice } from '../../accounts/sign-in/device'
import { longestTime, startSession } from '../../accounts/sign-in/session'
import { checkPassword, isSignInStillValid, type SignInOutcome } from '../../accounts/sign-in/sign-in'
import type { Config } from '../../config'
import { rowCount } from '../../db/row-counts'
import type { Tx } from '../../db/write'
import { createSecret } from '../../lib/secret'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import type { PageContent, PageContext } from '../../pages/layout'
import { waitingPage } from '../../pages/waiting'
import { cookieOf, setCookie } from '../../web/cookies'
import { type FormField, hiddenField, passwordField, textField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { anyone, seeOther } from '../../web/page'
import { FormProblem } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { queryText, type Visit } from '../../web/visit'
import { tooOften } from '../too-often'
import { byMailSetting } from '../with-mail'

const nameField = (more: { hint?: Message } = {}) =>
  textField({ label: (t) => t.signIn.nameOrEmail, limit: 254, autocomplete: 'username', ...more })

/** Without mail, most e-mail addresses are unconfirmed; a hint says that those cannot be used. */
export const signIn = byMailSetting(
  signingIn(nameField()),
  signingIn(nameField({ hint: (t) => t.signIn.onceConfirmed })),
)

function signingIn(username: FormField<string>) {
  return defineForm({
    path: '/sign_in',
    access: anyone,
    fields: {
      username,
      password: passwordField({
        label: (t) => t.account.password,
        autocomplete: 'current-password',
      }),
      return_to: hiddenField(),
    },
    button: (t) => t.signIn.title,
    initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
    show: pageWithForm,
    submit: signInWith,
  })
}

async function pageWithForm(visit: Visit, form: Markup): Promise<PageContent> {
  const { deps, t, basePath } = visit
  const { users } = await deps.read.selectNoFrom(rowCount('users').as('users')).executeTakeFirstOrThrow()
  if (users === 0) return waitingPage(visit)
  const { name } = await instanceText(deps.read)
  return {
    title: t.signIn.title,
    isBare: true,
    main: html`
      <h1>${t.signIn.title}</h1>
      ${name === '' ? '' : html`<p class="meta">${name}</p>`}
      ${form}
      <p><a href="${basePath}/reset_password">${t.signIn.forgot}</a></p>
      ${registrationHint(visit, deps.config.registration)}`,
  }
}

function registrationHint({ t, basePath }: PageContext, registration: Config['registration']): Markup {
  if (registration === 'closed') return html``
  if (registration === 'open') return html`<p><a href="${basePath}/sign_up">${t.signUp.title}</a></p>`
  return html`<p>${t.signIn.byInvitation}</p>`
}

interface SignInValues {
  readonly username: string
  readonly password: string
  readonly return_to: string
}

async function signInWith(visit: Visit, { username, password, return_to }: SignInValues): Promise<Response> {
  const signedIn = await checkAttempt(visit, username, password)
  if (signedIn.outcome !== 'ok') throw refusal(signedIn)
  const { userId, needsFactor } = signedIn
  const first = async (tx: Tx) => {
    if (!(await isSignInStillValid(tx, signedIn))) throw wrongCredentials()
  }
  await beginSession(visit, userId, { awaitsFactor: needsFactor, first })
  const target = safeReturn(return_to, visit.deps.config.baseUrl)
  if (!needsFactor) return seeOther(visit, target)
  return seeOther(visit, `/sign_in/code?return_to=${encodeURIComponent(target)}`)
}

async function checkAttempt(visit: Visit, name: string, password: string): Promise<SignInOutcome> {
  const { deps, request, context } = visit
  const device = cookieOf(request, 'device', deps.config.baseUrl) ?? ''
  const typed = { name, password, address: context.peer, device }
  const signedIn = await checkPassword(deps, typed)
  const user = 'userId' in signedIn ? signedIn.userId : undefined
  deps.log('sign_in', { id: context.id, outcome: signedIn.outcome, user })
  return signedIn
}

interface SessionOptions {
  readonly awaitsFactor?: boolean
  /** Runs first, in the same transaction; throws if the user may no longer sign in. */
  first?(tx: Tx): Promise<void>
}

/** Replaces the session of the browser, if any, to prevent session fixation (oauth.md §2.2). */
export async function beginSession(
  { deps, request, context, session, cookies }: Visit,
  userId: number,
  { awaitsFactor = false, first }: SessionOptions = {},
): Promise<void> {
  const { baseUrl } = deps.config
  const [at, believed] = [deps.now(), deps.wallClock.believed()]
  const cookie = createSecret('se', deps.random)
  const device = createSecret('br', deps.random)
  const before = cookieOf(request, 'device', baseUrl) ?? ''
  const browser = {
    userAgent: (request.headers.get('user-agent') ?? '').slice(0, 300),
    address: context.peer,
  }
  await deps.write(async (tx) => {
    await first?.(tx)
    if (session !== undefined) await tx.deleteFrom('sessions').where('id', '=', session.id).execute()
    await startSession(tx, { userId, cookie, browser, at, believed, awaitsFactor })
    if (!awaitsFactor) await rememberDevice(tx, { userId, device, before, at, believed })
  })
  cookies.push(setCookie('sid', cookie, longestTime / 1000, baseUrl))
  if (!awaitsFactor) cookies.push(setCookie('device', device, deviceTime / 1000, baseUrl))
}

function refusal(signedIn: Exclude<SignInOutcome, { outcome: 'ok' }>): FormProblem {
  switch (signedIn.outcome) {
    case 'wait':
      return tooOften(signedIn.wait)
    case 'disabled':
      return new FormProblem('', (t) => t.signIn.disabled, 403)
    default:
      return wrongCredentials()
  }
}

const wrongCredentials = () => new FormProblem('', (t) => t.signIn.wrong)
