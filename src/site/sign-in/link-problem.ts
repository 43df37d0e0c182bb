import type { Message } from '../../messages/languages'
import { PageProblem } from '../../web/problem'

/** The page of a link that is unknown, used or over; what to do about it is the last sentence. */
export const linkProblem = (advice: Message) =>
  new PageProblem(
    404,
    (t) => t.problem.linkTitle,
    (t) => t.problem.link(advice(t)),
  )
