import { FormProblem } from '../web/problem'

/** `wait` is in milliseconds. */
export function tooOften(wait: number): FormProblem {
  const seconds = Math.ceil(wait / 1000)
  return new FormProblem('', (t) => t.problem.tooOften(seconds), 429, { 'Retry-After': String(seconds) })
}
