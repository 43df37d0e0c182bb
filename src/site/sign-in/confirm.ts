import { listPasskeys } from '../../accounts/passkeys/passkeys'
import { listIdentities } from '../../accounts/provider/identity'
import { deviceTime, rememberDevice } from '../../accounts/sign-in/device'
import { longestTime, renewSession } from '../../accounts/sign-in/session'
import { checkPassword } from '../../accounts/sign-in/sign-in'
import type { Tx } from '../../db/write'
import { createSecret } from '../../lib/secret'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import { cookieOf, setCookie } from '../../web/cookies'
import { hiddenField } from '../../web/fields'
import { defineAction, defineForm, formText, orShownAgain } from '../../web/form'
import { formMarkup, problemSummary } from '../../web/form-markup'
import { definePage, member, seeOther, usesPassword } from '../../web/page'
import { AnswerInstead, FormProblem } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText, type Visit } from '../../web/visit'
import { tooOften } from '../too-often'
import { eitherPages } from '../with-mail'
import { currentPasswordField } from './account-fields'
import { codeField, proveFactor } from './code-field'
import { partyAt, passkeyForm, passkeyScript, requestOptions, withPasskey } from './passkey-form'
import { confirmForms, otherWays, providerTargets } from './provider-links'

const passwordAlone = { password: currentPasswordField, return_to: hiddenField() }
const passwordAndCode = { password: currentPasswordField, code: codeField, return_to: hiddenField() }

/** Re-authentication of a signed-in user (oauth.md §2.2). */
const byPassword = defineForm({
  path: '/confirm',
  access: (visit) => memberWithFactor(visit, false),
  fields: passwordAlone,
  button: (t) => t.common.continue,
  initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
  show,
  submit: async (visit, { password, return_to }) => {
    await provePassword(visit, password, 'password')
    return await renewAndReturn(visit, return_to)
  },
})

/** Throttled like a sign-in. Throws a `FormProblem` for the field. */
export async function provePassword(visit: MemberVisit, password: string, field: string): Promise<void> {
  const { deps, request, session, context } = visit
  const device = cookieOf(request, 'device', deps.config.baseUrl) ?? ''
  const typed = { name: session.username, password, address: context.peer, device }
  const checked = await checkPassword(deps, typed)
  deps.log('confirm', { id: context.id, outcome: checked.outcome, user: session.userId })
  if (checked.outcome === 'wait') throw tooOften(checked.wait)
  if (checked.outcome !== 'ok') throw new FormProblem(field, (t) => t.account.wrongPassword)
}

const byPasswordAndCode = defineForm({
  path: '/confirm/code',
  access: (visit) => memberWithFactor(visit, true),
  fields: passwordAndCode,
  button: (t) => t.common.continue,
  initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
  show,
  submit: async (visit, { password, code, return_to }) => {
    await provePassword(visit, password, 'password')
    await proveFactor(visit, code)
    return await renewAndReturn(visit, return_to)
  },
})

/** For accounts without a password, or where passwords are switched off. */
const otherwise = definePage({
  path: '/confirm',
  access: member,
  show: (visit) => show(visit, undefined, { return_to: queryText(visit, 'return_to') }),
})

/** A key that proves its holder is a password and a code at once (D100). */
const byPasskey = defineAction({
  path: '/confirm/passkey',
  access: member,
  run: (visit, sent) => {
    const return_to = formText(sent, 'return_to')
    const asked = { purpose: 'confirm', userId: visit.session.userId } as const
    return orShownAgain(
      () =>
        withPasskey(visit, sent, asked, async ({ signer, accept }) => {
          const { deps, context } = visit
          await renew(visit, accept)
          deps.log('confirm', { id: context.id, way: 'passkey', outcome: 'ok', user: signer.userId })
          return seeOther(visit, safeReturn(return_to, deps.config.baseUrl))
        }),
      ({ text }) => show(visit, formAgain(visit, text, return_to), { return_to }),
    )
  },
})

/** The form of the password, if the account has one, with what was wrong with the passkey. */
function formAgain(visit: MemberVisit, text: Message, return_to: string): Markup {
  const state = { texts: { return_to }, problems: { '': text } }
  if (!usesPassword(visit)) return problemSummary(visit, text)
  const [fields, path] = visit.session.hasFactor
    ? ([passwordAndCode, '/confirm/code'] as const)
    : ([passwordAlone, '/confirm'] as const)
  return formMarkup(visit, { fields, button: (t) => t.common.continue }, state, path)
}

export const confirm = [
  byPasskey,
  ...eitherPages((visit) => visit.session === undefined || usesPassword(visit), byPassword, [otherwise]),
  ...byPasswordAndCode,
]

/** Redirects to the other page unless the user's second factor fits this one. */
function memberWithFactor(visit: Visit, hasFactor: boolean): MemberVisit {
  const known = member(visit)
  if ((known.session.hasFactor && usesPassword(visit)) === hasFactor) return known
  const other = hasFactor ? '/confirm' : '/confirm/code'
  const target = encodeURIComponent(queryText(visit, 'return_to'))
  throw new AnswerInstead(seeOther(visit, `${other}?return_to=${target}`))
}

/** Every way that the account has; `form` is that of the password, if it has one. */
async function show(
  visit: MemberVisit,
  form: Markup | undefined,
  { return_to = '' }: Readonly<Record<string, string>>,
) {
  const { t, deps, session } = visit
  const title = t.confirm.title
  const identities = await listIdentities(deps.read, session.userId)
  const providers = deps.config.providers.filter((one) =>
    identities.some(({ issuer }) => issuer === one.issuer),
  )
  const ways = [...(await passkeyWays(visit, return_to)), ...confirmForms(visit, providers, return_to)]
  return {
    title,
    isBare: true,
    head: passkeyScript(visit),
    ...(providers.length > 0 && { formTargets: providerTargets(providers) }),
    main: html`
      <h1>${title}</h1>
      <p>${t.common.sentences([purposeOf(return_to)(t), t.confirm.signedInAs(session.username)])}</p>
      ${form ?? ''}
      ${form === undefined && ways.length === 0 ? html`<p>${t.confirm.noWay}</p>` : ''}
      ${otherWays(visit, ways, form !== undefined)}`,
  }
}

/** Of keys that have proved their holder before, at this host. */
async function passkeyWays(visit: MemberVisit, return_to: string): Promise<readonly Markup[]> {
  const party = partyAt(visit)
  if (party === undefined) return []
  const own = await listPasskeys(visit.deps.read, visit.session.userId)
  const able = own.filter(({ rp_id, is_verified }) => rp_id === party.id && is_verified === 1)
  if (able.length === 0) return []
  const form = passkeyForm(visit, {
    path: '/confirm/passkey',
    act: 'confirm-passkey',
    options: requestOptions(visit, party, 'confirm', able),
    button: (t) => t.passkeys.confirm,
    ...(!usesPassword(visit) && { kind: 'filled' }),
    fields: { return_to },
  })
  return [form]
}

async function renewAndReturn(visit: MemberVisit, target: string): Promise<Response> {
  await renew(visit)
  return seeOther(visit, safeReturn(target, visit.deps.config.baseUrl))
}

const purposeOf = (target: string): Message =>
  purposes.find(([path]) => path.test(target))?.[1] ?? ((t) => t.confirm.toContinue)

/** The first match wins; a test fails if a page that asks is not listed. */
const purposes: readonly (readonly [RegExp, Message])[] = [
  [/^\/settings\/email/, (t) => t.confirm.toChangeEmail],
  [/^\/settings\/password\/remove/, (t) => t.confirm.toRemovePassword],
  [/^\/settings\/password/, (t) => t.confirm.toSetPassword],
  [/^\/settings\/providers/, (t) => t.confirm.toManageProviders],
  [/^\/settings\/passkeys\/\d+\/remove/, (t) => t.confirm.toRemovePasskey],
  [/^\/settings\/passkeys/, (t) => t.confirm.toManagePasskeys],
  [/^\/settings\/sign_ins/, (t) => t.confirm.toSeeSignIns],
  [/^\/settings\/delete_account/, (t) => t.confirm.toDeleteAccount],
  [/^\/settings\/two_step\/codes/, (t) => t.confirm.toRenewCodes],
  [/^\/settings\/two_step\/off/, (t) => t.confirm.toTurnOffTwoStep],
  [/^\/settings\/two_step/, (t) => t.confirm.toManageTwoStep],
  [/^\/settings\/sessions/, (t) => t.confirm.toSeeSessions],
  [/^\/settings\/export/, (t) => t.confirm.toDownloadData],
  [/^\/settings\/tokens/, (t) => t.confirm.toCreateToken],
  [/^\/oauth\/applications\/\d+\/rotate/, (t) => t.confirm.toReplaceSecret],
  [/^\/admin\/users\/\d+\/reset_password/, (t) => t.confirm.toCreateResetLink],
  [/^\/admin\/users/, (t) => t.confirm.toManageUsers],
  [/^\/admin\/invitations/, (t) => t.confirm.toManageInvitations],
  [/^\/works\/\d+\/shared_cover/, (t) => t.confirm.toChangeCover],
  [/^\/(?:admin|welcome\/catalogue)/, (t) => t.confirm.toAdminister],
]

/** Rotates the session and device cookies after re-authentication (oauth.md §2.2); nothing if the session has ended. `first` may refuse. */
export async function renew(
  { deps, request, session, cookies }: MemberVisit,
  first?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { baseUrl } = deps.config
  const [at, believed] = [deps.now(), deps.wallClock.believed()]
  const cookie = createSecret('se', deps.random)
  const device = createSecret('br', deps.random)
  const before = cookieOf(request, 'device', baseUrl) ?? ''
  const isRenewed = await deps.write(async (tx) => {
    await first?.(tx)
    if (!(await renewSession(tx, session.id, { cookie, at }))) return false
    await rememberDevice(tx, { userId: session.userId, device, before, at, believed })
    return true
  })
  if (!isRenewed) return
  cookies.push(setCookie('sid', cookie, longestTime / 1000, baseUrl))
  cookies.push(setCookie('device', device, deviceTime / 1000, baseUrl))
}
