import type { Message } from '../messages/languages'
import { FieldProblem } from '../values/field-problem'

/** The most tokens, or other things that outlive a session, that a user may own. */
const most = 500

/** Throws a `FieldProblem` with the text `problem` where a user owns the maximum already. */
export function refuseMore(
  owned: readonly unknown[],
  problem: (t: Parameters<Message>[0]) => (most: number) => string,
): void {
  if (owned.length >= most) throw new FieldProblem('data', '', (t) => problem(t)(most))
}
