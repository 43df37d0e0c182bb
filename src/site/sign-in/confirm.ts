import { deviceTime, rememberDevice } from '../../accounts/sign-in/device'
import { longestTime, renewSession } from '../../accounts/sign-in/session'
import { checkPassword } from '../../accounts/sign-in/sign-in'
import type { Tx } from '../../db/write'
import type { RawValues } from '../../http/request-values'
import { createSecret } from '../../lib/secret'
import type { Messages } from '../../messages/en'
import type { Message } from '../../messages/languages'
import type { Markup } from '../../pages/html'
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
import { type ConfirmVisit, confirmPage, withWays } from './confirm-page'
import { withPasskey } from './passkey-form'

const alone = {
  fields: { password: currentPasswordField, return_to: hiddenField() },
  button: (t: Messages) => t.confirm.byPassword,
}
const withCode = {
  fields: { password: currentPasswordField, code: codeField, return_to: hiddenField() },
  button: (t: Messages) => t.confirm.byPasswordAndCode,
}

/** A passkey is offered above, or a touch instead of a code that is not from an app. */
const comesSecond = ({ ways: { keys, stepKeys, hasApp } }: ConfirmVisit) =>
  keys.length > 0 || (stepKeys.length > 0 && !hasApp)

/** Re-authentication of a signed-in user (oauth.md §2.2). */
const byPassword = defineForm({
  path: '/confirm',
  access: (visit) => memberWithFactor(visit, false),
  ...alone,
  isSecond: comesSecond,
  initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
  show: confirmPage,
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
  ...withCode,
  isSecond: comesSecond,
  initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
  show: confirmPage,
  submit: async (visit, { password, code, return_to }) => {
    await provePassword(visit, password, 'password')
    await proveFactor(visit, code)
    return await renewAndReturn(visit, return_to)
  },
})

/** For accounts without a password, or where passwords are switched off. */
const otherwise = definePage({
  path: '/confirm',
  access: async (visit) => withWays(member(visit)),
  show: (visit) => confirmPage(visit, undefined, { return_to: queryText(visit, 'return_to') }),
})

/** A key that proves its holder is a password and a code at once (D100). */
const byPasskey = defineAction({
  path: '/confirm/passkey',
  access: async (visit) => withWays(member(visit)),
  run: (visit, sent) => {
    const return_to = formText(sent, 'return_to')
    return orShownAgain(
      () => renewByKey(visit, sent, 'confirm', return_to),
      async ({ text }) => confirmPage(visit, formAgain(visit, return_to, text), { return_to }),
    )
  },
})

/** A key that is only the second step: a touch, sent together with the password (D101). */
const byPasswordAndTouch = defineAction({
  path: '/confirm/code/passkey',
  access: (visit) => memberWithFactor(visit, true),
  run: (visit, sent) => {
    const return_to = formText(sent, 'return_to')
    return orShownAgain(
      async () => {
        await provePassword(visit, formText(sent, 'key_password'), '')
        return await renewByKey(visit, sent, 'confirm_code', return_to)
      },
      async ({ text }) => confirmPage(visit, formAgain(visit, return_to), { return_to }, text),
    )
  },
})

const renewByKey = (
  visit: MemberVisit,
  sent: RawValues,
  purpose: 'confirm' | 'confirm_code',
  return_to: string,
): Promise<Response> =>
  withPasskey(visit, sent, { purpose, userId: visit.session.userId }, async ({ signer, accept }) => {
    const { deps, context } = visit
    await renew(visit, accept)
    deps.log('confirm', { id: context.id, way: 'passkey', outcome: 'ok', user: signer.userId })
    return seeOther(visit, safeReturn(return_to, deps.config.baseUrl))
  })

/** The form of the password, if the account has one, with what was wrong with another way. */
function formAgain(visit: ConfirmVisit, return_to: string, problem?: Message): Markup | undefined {
  if (!usesPassword(visit)) return problem && problemSummary(visit, problem)
  const state = { texts: { return_to }, problems: problem === undefined ? {} : { '': problem } }
  const [form, path] = visit.session.hasFactor
    ? ([withCode, '/confirm/code'] as const)
    : ([alone, '/confirm'] as const)
  return formMarkup(visit, { ...form, isSecond: comesSecond(visit) }, state, path)
}

export const confirm = [
  byPasskey,
  byPasswordAndTouch,
  ...eitherPages((visit) => visit.session === undefined || usesPassword(visit), byPassword, [otherwise]),
  ...byPasswordAndCode,
]

/** Redirects to the other page unless the user's second factor fits this one. */
async function memberWithFactor(visit: Visit, hasFactor: boolean): Promise<ConfirmVisit> {
  const known = member(visit)
  if ((known.session.hasFactor && usesPassword(visit)) === hasFactor) return await withWays(known)
  const other = hasFactor ? '/confirm' : '/confirm/code'
  const target = encodeURIComponent(queryText(visit, 'return_to'))
  throw new AnswerInstead(seeOther(visit, `${other}?return_to=${target}`))
}

async function renewAndReturn(visit: MemberVisit, target: string): Promise<Response> {
  await renew(visit)
  return seeOther(visit, safeReturn(target, visit.deps.config.baseUrl))
}

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
