import type { Message } from '../../messages/languages'
import { PageProblem } from '../../web/problem'

/** For a link that is unknown, used or expired; the advice is its last sentence. */
export const linkProblem = (advice: Message) =>
  new PageProblem(404, (t) => [t.problem.linkTitle, t.problem.link(advice(t))])
