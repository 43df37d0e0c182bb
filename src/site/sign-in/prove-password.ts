import { checkPassword } from '../../accounts/sign-in/sign-in'
import { cookieOf } from '../../web/cookies'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { tooOften } from '../too-often'

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
