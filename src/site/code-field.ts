import type { Checked } from '../accounts/second-factor'
import { words } from '../lib/words'
import { textField } from '../web/fields'
import { FormProblem } from '../web/problem'

/** Where a code of two-step verification is typed; a recovery code stands in for it. */
export const codeField = textField({
  label: words('Code', 'コード'),
  hint: words(
    'The six digits that your application shows, or one of your recovery codes.',
    'アプリに表示される6桁の数字、またはリカバリーコードを入力してください。',
  ),
  limit: 60,
  autocomplete: 'one-time-code',
})

/** What a form says of a code that was not taken. */
export function codeProblem(checked: Checked): FormProblem {
  if (checked.outcome !== 'wait') return new FormProblem('code', wrongCode)
  const seconds = Math.ceil(checked.wait / 1000)
  const text = words(
    `Too many attempts failed. Try again in ${seconds} seconds.`,
    `失敗が続いています。${seconds}秒後にもう一度お試しください。`,
  )
  return new FormProblem('', text, 429, { 'Retry-After': String(seconds) })
}

export const wrongCode = words(
  'is wrong, or was used already. Each is good once.',
  '正しくないか、使用済みです。同じコードは1回しか使えません。',
)
