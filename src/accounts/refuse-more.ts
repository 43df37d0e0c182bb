import { FieldProblem } from '../lib/field-problem'
import type { Message } from '../messages/languages'

/** How many of a thing that outlives a session, such as tokens, a user has at most. */
const most = 500

/** Throws a `FieldProblem` where a user owns as many of something as one may; `problem` says so. */
export function refuseMore(
  owned: readonly unknown[],
  problem: (t: Parameters<Message>[0]) => (most: number) => string,
): void {
  if (owned.length >= most) throw new FieldProblem('data', '', (t) => problem(t)(most))
}
