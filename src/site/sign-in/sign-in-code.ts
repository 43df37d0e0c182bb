import { listPasskeys } from '../../accounts/passkeys/passkeys'
import { checkSecondFactor, factorStanding } from '../../accounts/sign-in/second-factor'
import { endSessions, findSessionAwaitingFactor } from '../../accounts/sign-in/session'
import { noteSignIn } from '../../accounts/sign-in/sign-ins'
import type { Tx } from '../../db/write'
import type { RawValues } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import { titled } from '../../pages/layout'
import { hiddenField } from '../../web/fields'
import { defineAction, defineForm, formText, orShownAgain } from '../../web/form'
import { type FormState, formMarkup } from '../../web/form-markup'
import { type PageRoute, seeOther } from '../../web/page'
import { AnswerInstead } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { browserOf, queryText, type Visit } from '../../web/visit'
import { codeField, codeProblem } from './code-field'
import { partyAt, passkeyForm, passkeyScript, requestOptions, withPasskey } from './passkey-form'
import { otherWays } from './provider-links'
import { beginSession } from './sign-in'

interface PendingVisit extends Visit {
  readonly pending: { readonly id: number; readonly userId: number; readonly keptForm: string | null }
}

const fields = { code: codeField, return_to: hiddenField() }
const button: Message = (t) => t.signIn.title

/** The second step of signing in, possible for ten minutes after the first. */
export const signInCode: readonly PageRoute[] = [
  ...defineForm({
    path: '/sign_in/code',
    access: pendingVisit,
    fields,
    button,
    initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
    show: codePage,
    submit: signInByCode,
  }),
  // After the password, presence is enough (D101).
  defineAction({
    path: '/sign_in/code/passkey',
    access: pendingVisit,
    run: (visit, sent) => {
      const texts = { return_to: formText(sent, 'return_to') }
      return orShownAgain(
        () => signInByKey(visit, sent, texts.return_to),
        ({ text }) => {
          const state = { texts, problems: { '': text } }
          return codePage(visit, formMarkup(visit, { fields, button }, state, '/sign_in/code'), texts)
        },
      )
    },
  }),
]

async function signInByCode(
  visit: PendingVisit,
  { code, return_to }: { readonly code: string; readonly return_to: string },
): Promise<Response> {
  const { deps, context, pending } = visit
  const { userId } = pending
  const checked = await checkSecondFactor(deps, { userId, code, address: context.peer })
  deps.log('sign_in_code', { id: context.id, outcome: checked.outcome, user: userId })
  if (checked.outcome === 'wrong') {
    const by = { way: 'password', step: 'code' } as const
    const attempt = { ...by, userId, outcome: 'wrong_code', at: deps.now() } as const
    await deps.write((tx) => noteSignIn(tx, { ...attempt, browser: browserOf(visit) }))
  }
  if (checked.outcome !== 'ok') throw codeProblem(checked)
  return await finish(visit, 'code', return_to)
}

const signInByKey = (visit: PendingVisit, sent: RawValues, target: string) =>
  withPasskey(visit, sent, { purpose: 'code', userId: visit.pending.userId }, async ({ accept }) => {
    const { deps, context, pending } = visit
    const response = await finish(visit, 'passkey', target, accept)
    deps.log('sign_in_code', { id: context.id, way: 'passkey', outcome: 'ok', user: pending.userId })
    return response
  })

async function finish(
  visit: PendingVisit,
  step: 'code' | 'passkey',
  target: string,
  accept?: (tx: Tx) => Promise<void>,
): Promise<Response> {
  const { userId, id, keptForm } = visit.pending
  const first = async (tx: Tx) => {
    if ((await endSessions(tx, userId, { only: id })) === 0) throw signInAgain(visit)
    await accept?.(tx)
  }
  await beginSession(visit, userId, { first, keptForm, by: { way: 'password', step } })
  return seeOther(visit, safeReturn(target, visit.deps.config.baseUrl))
}

async function codePage(visit: PendingVisit, form: Markup, { return_to = '' }: FormState['texts']) {
  const { t, basePath, deps, pending } = visit
  const other = html`<p><a href="${basePath}/sign_in">${t.signIn.otherAccount}</a></p>`
  const party = partyAt(visit)
  const { hasKeys } = await factorStanding(deps.read, pending.userId)
  const ways: Markup[] = []
  if (party !== undefined && hasKeys) {
    const own = await listPasskeys(deps.read, pending.userId)
    const options = requestOptions(visit, party, 'code', own)
    const [path, act] = ['/sign_in/code/passkey', 'code-passkey']
    ways.push(
      passkeyForm(visit, { path, act, options, button: (t) => t.passkeys.useKey, fields: { return_to } }),
    )
  }
  const content = html`${form}${otherWays(visit, ways, true)}${other}`
  return { ...titled(t.twoStep.title, content), isBare: true, head: passkeyScript(visit) }
}

async function pendingVisit(visit: Visit): Promise<PendingVisit> {
  const pending = await findSessionAwaitingFactor(visit.deps, visit.cookie)
  if (pending === undefined) throw signInAgain(visit)
  return { ...visit, pending }
}

const signInAgain = (visit: Visit) => new AnswerInstead(seeOther(visit, '/sign_in'))
