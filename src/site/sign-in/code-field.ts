import { checkSecondFactor, type FactorOutcome } from '../../accounts/sign-in/second-factor'
import type { Message } from '../../messages/languages'
import { textField } from '../../web/fields'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { tooOften } from '../too-often'

/** Where a code of two-step verification is typed; a recovery code stands in for it. */
export const codeField = textField({
  label: (t) => t.twoStep.code,
  hint: (t) => t.twoStep.codeHint,
  limit: 60,
  autocomplete: 'one-time-code',
})

/** Checks a code of somebody who is signed in, and uses it up. Throws a `FormProblem` unless it is good. */
export async function proveFactor(visit: MemberVisit, code: string): Promise<void> {
  const { deps, session, context } = visit
  const checked = await checkSecondFactor(deps, { userId: session.userId, code, address: context.peer })
  deps.log('confirm_code', { id: context.id, outcome: checked.outcome, user: session.userId })
  if (checked.outcome !== 'ok') throw codeProblem(checked)
}

/** What a form says of a code that was not taken. */
export function codeProblem(checked: FactorOutcome): FormProblem {
  return checked.outcome === 'wait' ? tooOften(checked.wait) : new FormProblem('code', wrongCode)
}

export const wrongCode: Message = (t) => t.twoStep.wrongCode
