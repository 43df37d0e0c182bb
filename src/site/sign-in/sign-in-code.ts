import { checkSecondFactor } from '../../accounts/sign-in/second-factor'
import { endSessions, findSessionAwaitingFactor } from '../../accounts/sign-in/session'
import { noteSignIn } from '../../accounts/sign-in/sign-ins'
import type { Tx } from '../../db/write'
import { html } from '../../pages/html'
import { titled } from '../../pages/layout'
import { hiddenField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { seeOther } from '../../web/page'
import { AnswerInstead } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { queryText, type Visit } from '../../web/visit'
import { codeField, codeProblem } from './code-field'
import { beginSession, browserOf } from './sign-in'

interface PendingVisit extends Visit {
  readonly pending: { readonly id: number; readonly userId: number; readonly keptForm: string | null }
}

/** The second step of signing in, possible for ten minutes after the first. */
export const signInCode = defineForm({
  path: '/sign_in/code',
  access: pendingVisit,
  fields: { code: codeField, return_to: hiddenField() },
  button: (t) => t.signIn.title,
  initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
  show: ({ t, basePath }, form) => {
    const other = html`<p><a href="${basePath}/sign_in">${t.signIn.otherAccount}</a></p>`
    return { ...titled(t.twoStep.title, html`${form}${other}`), isBare: true }
  },
  submit: async (visit, { code, return_to }) => {
    const { deps, context, pending } = visit
    const { userId, keptForm } = pending
    const checked = await checkSecondFactor(deps, { userId, code, address: context.peer })
    deps.log('sign_in_code', { id: context.id, outcome: checked.outcome, user: userId })
    if (checked.outcome === 'wrong') {
      const attempt = {
        userId,
        way: 'password',
        step: 'code',
        outcome: 'wrong_code',
        at: deps.now(),
      } as const
      await deps.write((tx) => noteSignIn(tx, { ...attempt, browser: browserOf(visit) }))
    }
    if (checked.outcome !== 'ok') throw codeProblem(checked)
    const first = async (tx: Tx) => {
      if ((await endSessions(tx, userId, { only: pending.id })) === 0) throw signInAgain(visit)
    }
    await beginSession(visit, userId, { first, keptForm, by: { way: 'password', step: 'code' } })
    return seeOther(visit, safeReturn(return_to, deps.config.baseUrl))
  },
})

async function pendingVisit(visit: Visit): Promise<PendingVisit> {
  const pending = await findSessionAwaitingFactor(visit.deps, visit.cookie)
  if (pending === undefined) throw signInAgain(visit)
  return { ...visit, pending }
}

const signInAgain = (visit: Visit) => new AnswerInstead(seeOther(visit, '/sign_in'))
