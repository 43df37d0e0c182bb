import { checkSecondFactor } from '../../accounts/sign-in/second-factor'
import { endSessions, findSessionAwaitingFactor } from '../../accounts/sign-in/session'
import type { Tx } from '../../db/write'
import { html } from '../../pages/html'
import { hiddenField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { seeOther } from '../../web/page'
import { AnswerInstead } from '../../web/problem'
import { queryText } from '../../web/query'
import { safeReturn } from '../../web/return-to'
import type { Visit } from '../../web/visit'
import { codeField, codeProblem } from './code-field'
import { begin } from './sign-in'

/** A visit by somebody whose password was right, and whose second factor is still to come. */
interface HalfVisit extends Visit {
  readonly half: { readonly id: number; readonly userId: number }
}

/** GET and POST /sign_in/code: the second step of signing in, for ten minutes after the first. */
export const signInCode = defineForm({
  path: '/sign_in/code',
  access: halfway,
  fields: { code: codeField, return_to: hiddenField() },
  button: (t) => t.signIn.title,
  initial: (visit) => ({ return_to: queryText(visit, 'return_to') }),
  show: ({ pageContext: { t, basePath } }, form) => {
    const title = t.twoStep.title
    return {
      title,
      main: html`<h1>${title}</h1>${form}<p><a href="${basePath}/sign_in">${t.signIn.otherAccount}</a></p>`,
    }
  },
  submit: async (visit, { code, return_to }) => {
    const { deps, context, half } = visit
    const { userId } = half
    const checked = await checkSecondFactor(deps, { userId, code, address: context.peer })
    deps.log('sign_in_code', { id: context.id, outcome: checked.outcome, user: userId })
    if (checked.outcome !== 'ok') throw codeProblem(checked)
    const first = async (tx: Tx) => {
      if ((await endSessions(tx, userId, { only: half.id })) === 0) throw tooLate(visit)
    }
    await begin(visit, userId, { first })
    return seeOther(visit, safeReturn(return_to, deps.config.baseUrl))
  },
})

async function halfway(visit: Visit): Promise<HalfVisit> {
  const half = await findSessionAwaitingFactor(visit.deps, visit.cookie)
  if (half === undefined) throw tooLate(visit)
  return { ...visit, half }
}

const tooLate = (visit: Visit) => new AnswerInstead(seeOther(visit, '/sign_in'))
