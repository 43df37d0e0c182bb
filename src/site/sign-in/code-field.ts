import { checkSecondFactor, type FactorOutcome } from '../../accounts/sign-in/second-factor'
import type { Message } from '../../messages/languages'
import { textField } from '../../web/fields'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { tooOften } from '../too-often'

/** Also accepts a recovery code. */
export const codeField = textField({
  label: (t) => t.twoStep.code,
  hint: (t) => t.twoStep.codeHint,
  limit: 60,
  autocomplete: 'one-time-code',
})

/** Checks a code and uses it up. Throws a `FormProblem`. */
export async function proveFactor({ deps, session, context }: MemberVisit, code: string): Promise<void> {
  const checked = await checkSecondFactor(deps, { userId: session.userId, code, address: context.peer })
  deps.log('confirm_code', { id: context.id, outcome: checked.outcome, user: session.userId })
  if (checked.outcome !== 'ok') throw codeProblem(checked)
}

export function codeProblem(checked: FactorOutcome): FormProblem {
  return checked.outcome === 'wait' ? tooOften(checked.wait) : new FormProblem('code', wrongCode)
}

export const wrongCode: Message = (t) => t.twoStep.wrongCode
