import type { Message } from '../messages/languages'
import { FieldProblem } from '../values/field-problem'

/** For things that outlive a session, such as tokens. */
const most = 500

/** Throws a `FieldProblem` with the text `problem`. */
export function refuseMore(
  owned: readonly unknown[],
  problem: (t: Parameters<Message>[0]) => (most: number) => string,
): void {
  if (owned.length >= most) throw new FieldProblem('data', '', (t) => problem(t)(most))
}
