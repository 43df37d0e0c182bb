import { isEmailAddress } from '../lib/email-address'
import { words } from '../lib/words'
import { UserProblem } from './user-problem'

/** Throws a `UserProblem` unless the text is an e-mail address as browsers check one. */
export function checkEmail(email: string): void {
  if (isEmailAddress(email)) return
  throw new UserProblem(
    'usage',
    'email',
    words(
      'the e-mail address must be one such as alice@example.com',
      'alice@example.com のようなメールアドレスを入力してください',
    ),
  )
}

/** Only for whoever may know it: the operator, or the one whose address it is. */
export const emailTaken = (email: string) =>
  new UserProblem(
    'data',
    'email',
    words(`the e-mail address ${email} is taken`, `メールアドレス ${email} は使われています`),
  )

/** The form in which e-mail addresses are compared. */
export const emailKey = (email: string): string => email.toLowerCase()
