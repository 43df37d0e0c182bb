import { words } from '../lib/words'
import { FormProblem } from '../web/problem'

/** Something was tried too often; `wait` is in milliseconds. */
export function tooOften(wait: number): FormProblem {
  const seconds = Math.ceil(wait / 1000)
  const text = words(
    `This was tried too often. Try again in ${seconds} seconds.`,
    `試行回数が多すぎます。${seconds}秒後にもう一度お試しください。`,
  )
  return new FormProblem('', text, 429, { 'Retry-After': String(seconds) })
}
