import type { Message } from '../messages/languages'
import { FormProblem, PageProblem } from '../web/problem'

/** `wait` is in milliseconds. */
export function tooOften(wait: number): FormProblem {
  const seconds = Math.ceil(wait / 1000)
  return new FormProblem('', (t) => t.problem.tooOften(seconds), 429, { 'Retry-After': String(seconds) })
}

/** For a link that is unknown, used or expired; `advice` is the last sentence of the page. */
export const linkProblem = (advice: Message) =>
  new PageProblem(404, (t) => [t.problem.linkTitle, t.problem.link(advice(t))])
