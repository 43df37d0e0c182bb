import { words } from '../lib/words'
import { FormProblem } from '../web/problem'

/** How long to wait, as the end of an English sentence. */
export const inSeconds = (seconds: number): string =>
  seconds === 1 ? 'in 1 second' : `in ${seconds} seconds`

/** Something was tried too often; `wait` is in milliseconds. */
export function tooOften(wait: number): FormProblem {
  const seconds = Math.ceil(wait / 1000)
  const text = words(
    `This was tried too often. Try again ${inSeconds(seconds)}.`,
    `試行回数が多すぎます。${seconds}秒後にもう一度お試しください。`,
  )
  return new FormProblem('', text, 429, { 'Retry-After': String(seconds) })
}
