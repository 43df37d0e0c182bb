import type { Message } from '../../messages/languages'
import { PageProblem } from '../../web/problem'

/** For a link that is unknown, used or expired; `advice` is the last sentence of the page. */
export const linkProblem = (advice: Message) =>
  new PageProblem(404, (t) => [t.problem.linkTitle, t.problem.link(advice(t))])
