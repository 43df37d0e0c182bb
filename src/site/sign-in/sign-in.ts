import { tellOfOwn } from '../../accounts/account/unread'
import { instanceText } from '../../accounts/instance-text'
import { deviceTime, isKnownDevice, rememberDevice } from '../../accounts/sign-in/device'
import { endSessions, longestTime, startSession } from '../../accounts/sign-in/session'
import { checkPassword, isSignInStillValid, type SignInOutcome } from '../../accounts/sign-in/sign-in'
import { noteSignIn, type SignedInBy } from '../../accounts/sign-in/sign-ins'
import { usersCount } from '../../accounts/users'
import type { Config } from '../../config'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { createSecret } from '../../lib/secret'
import type { Messages } from '../../messages/en'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import type { PageContent, PageContext } from '../../pages/layout'
import { waitingPage } from '../../pages/waiting'
import { cookieOf, setCookie } from '../../web/cookies'
import { type FormField, hiddenField, passwordField, textField } from '../../web/fields'
import { defineAction, defineForm } from '../../web/form'
import type { FormState } from '../../web/form-markup'
import { keptJson } from '../../web/kept-form'
import { anyone, seeOther } from '../../web/page'
import { AnswerInstead, FormProblem } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { browserOf, queryText, type Visit } from '../../web/visit'
import { tooOften } from '../too-often'
import { byMailSetting } from '../with-mail'
import { refusePasswords } from './account-fields'
import { passkeyScript, passkeyWay } from './passkey-form'
import { otherWays, providerLinks } from './provider-links'
import { pageAfterSignOut } from './signed-out'

const nameField = (more: { hint?: Message } = {}) =>
  textField({ label: (t) => t.signIn.nameOrEmail, limit: 254, autocomplete: 'username webauthn', ...more })

const formWith = (username: FormField<string>) => ({
  fields: {
    username,
    password: passwordField({
      label: (t) => t.account.password,
      autocomplete: 'current-password',
    }),
    return_to: hiddenField(),
    kept: hiddenField(),
  },
  button: (t: Messages) => t.signIn.title,
})

/** Without mail, most e-mail addresses are unconfirmed; a hint says that those cannot be used. */
const withMail = formWith(nameField())
const withoutMail = formWith(nameField({ hint: (t) => t.signIn.onceConfirmed }))

export const signInForm = ({ mail }: Deps) => (mail === undefined ? withoutMail : withMail)

export const signIn = byMailSetting(signingIn(withMail), signingIn(withoutMail))

function signingIn(form: typeof withMail) {
  return defineForm({
    path: '/sign_in',
    access: unlessOneProvider,
    ...form,
    initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
    show: signInPage,
    submit: (visit, values) => signInWith(refusePasswords(visit), values),
  })
}

/** Without passwords, one provider is the only way in: straight there, unless `stay` asks for the page. */
async function unlessOneProvider(visit: Visit): Promise<Visit> {
  const { deps, request } = visit
  const [provider, another] = deps.config.providers
  const isOnly = provider !== undefined && another === undefined && !deps.config.passwordSignIn
  if (!isOnly || request.method !== 'GET' || queryText(visit, 'stay') !== '') return visit
  if (await isEmpty(deps)) return visit
  throw new AnswerInstead(seeOther(visit, `/sign_in/with/${provider.id}${returnQuery(visit)}`))
}

async function isEmpty({ read }: Deps): Promise<boolean> {
  const { users } = await read.selectNoFrom(usersCount.as('users')).executeTakeFirstOrThrow()
  return users === 0
}

/** Keeps where the visitor wanted to go. */
function returnQuery(visit: Visit, target = queryText(visit, 'return_to')): string {
  return target === '' ? '' : `?return_to=${encodeURIComponent(target)}`
}

/** `kept`: what was sent after the session had ended. */
export async function signInPage(
  visit: Visit,
  form: Markup,
  { kept = '', return_to = '' }: FormState['texts'],
): Promise<PageContent> {
  const { deps, t } = visit
  if (await isEmpty(deps)) return waitingPage(visit)
  const { name } = await instanceText(deps.read)
  const ways = [
    ...passkeyWay(visit, { kept, return_to }),
    ...providerLinks(visit, returnQuery(visit, return_to)),
  ]
  return {
    title: t.signIn.title,
    isBare: true,
    head: passkeyScript(visit),
    main: html`
      <h1>${t.signIn.title}</h1>
      ${name === '' ? '' : html`<p class="meta">${name}</p>`}
      ${kept === '' ? '' : html`<p role="status">${t.signIn.toSave}</p>`}
      ${deps.config.passwordSignIn ? form : html`<p>${t.signIn.passwordsOffTitle}</p>`}
      ${otherWays(visit, ways, deps.config.passwordSignIn)}
      ${deps.config.passwordSignIn ? forgotten(visit) : ''}
      ${registrationHint(visit, deps.config.registration)}`,
  }
}

const forgotten = ({ t, basePath }: Visit): Markup =>
  html`<p><a href="${basePath}/reset_password">${t.signIn.forgot}</a></p>`

function registrationHint({ t, basePath }: PageContext, registration: Config['registration']): Markup {
  if (registration === 'closed') return html``
  if (registration === 'invite') return html`<p>${t.signIn.byInvitation}</p>`
  const title = registration === 'open' ? t.signUp.title : t.signUp.askTitle
  return html`<p><a href="${basePath}/sign_up">${title}</a></p>`
}

interface SignInValues {
  readonly username: string
  readonly password: string
  readonly return_to: string
  readonly kept: string
}

async function signInWith(
  visit: Visit,
  { username, password, return_to, kept }: SignInValues,
): Promise<Response> {
  const signedIn = await checkAttempt(visit, username, password)
  if (signedIn.outcome !== 'ok') throw refusal(signedIn)
  const { userId, needsFactor } = signedIn
  const first = async (tx: Tx) => {
    if (!(await isSignInStillValid(tx, signedIn))) throw wrongCredentials()
  }
  const keptForm = keptJson(kept)
  await beginSession(visit, userId, { awaitsFactor: needsFactor, first, keptForm })
  const target = keptForm === undefined ? safeReturn(return_to, visit.deps.config.baseUrl) : '/kept'
  if (!needsFactor) return seeOther(visit, target)
  return seeOther(visit, `/sign_in/code?return_to=${encodeURIComponent(target)}`)
}

async function checkAttempt(visit: Visit, name: string, password: string): Promise<SignInOutcome> {
  const { deps, request, context } = visit
  const device = cookieOf(request, 'device', deps.config.baseUrl) ?? ''
  const typed = { name, password, address: context.peer, device, browser: browserOf(visit) }
  const signedIn = await checkPassword(deps, typed)
  const user = 'userId' in signedIn ? signedIn.userId : undefined
  deps.log('sign_in', { id: context.id, way: 'password', outcome: signedIn.outcome, user })
  return signedIn
}

export interface SessionOptions {
  /** How the person came in, noted for them unless a second step is still missing; by default with the password alone. */
  readonly by?: SignedInBy
  /** The session ends when these are removed. */
  readonly passkeyId?: number
  readonly identityId?: number
  /** When the person last proved who they are, in epoch milliseconds, if not now; 0: never. */
  readonly confirmedAt?: number
  readonly awaitsFactor?: boolean
  /** Runs first, in the same transaction; throws if the user may no longer sign in. */
  first?(tx: Tx): Promise<void>
  readonly keptForm?: string | null | undefined
}

/** Replaces the session of the browser, if any, to prevent session fixation (oauth.md §2.2). */
export async function beginSession(
  visit: Visit,
  userId: number,
  { by = { way: 'password' }, first, ...options }: SessionOptions = {},
): Promise<void> {
  const { deps, request, session, cookies } = visit
  const { awaitsFactor = false } = options
  const { baseUrl } = deps.config
  const [at, believed] = [deps.now(), deps.wallClock.believed()]
  const cookie = createSecret('se', deps.random)
  const device = createSecret('br', deps.random)
  const before = cookieOf(request, 'device', baseUrl) ?? ''
  const browser = browserOf(visit)
  await deps.write(async (tx) => {
    await first?.(tx)
    if (session !== undefined) await tx.deleteFrom('sessions').where('id', '=', session.id).execute()
    await startSession(tx, { ...options, userId, cookie, browser, at, believed, way: by.way })
    if (awaitsFactor) return
    const outcome = (await isKnownDevice(tx, userId, before)) ? 'ok' : 'new_browser'
    await noteSignIn(tx, { ...by, userId, outcome, browser, at })
    if (outcome === 'new_browser') await tellOfOwn(tx, { user: userId, kind: 'new_browser', at })
    await rememberDevice(tx, { userId, device, before, at, believed })
  })
  cookies.push(setCookie('sid', cookie, longestTime / 1000, baseUrl))
  if (!awaitsFactor) cookies.push(setCookie('device', device, deviceTime / 1000, baseUrl))
}

export function refusal(signedIn: Exclude<SignInOutcome, { outcome: 'ok' }>): FormProblem {
  switch (signedIn.outcome) {
    case 'wait':
      return tooOften(signedIn.wait)
    case 'waiting':
      return new FormProblem('', (t) => t.signIn.waiting, 403)
    case 'disabled':
      return new FormProblem('', (t) => t.signIn.disabled, 403)
    default:
      return wrongCredentials()
  }
}

const wrongCredentials = () => new FormProblem('', (t) => t.signIn.wrong)

/** Also succeeds if the session has already ended. */
export const signOut = defineAction({
  path: '/sign_out',
  access: anyone,
  run: async (visit) => {
    const { deps, session, cookies } = visit
    const next = session === undefined ? '/' : await pageAfterSignOut(deps, session.id)
    if (session !== undefined) await deps.write((tx) => endSessions(tx, session.userId, { only: session.id }))
    cookies.push(setCookie('sid', '', 0, deps.config.baseUrl))
    return seeOther(visit, next)
  },
})
