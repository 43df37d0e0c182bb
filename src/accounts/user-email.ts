import { words } from '../lib/words'
import { UserProblem } from './user-problem'

/** Throws a `UserProblem` unless the text is an e-mail address as browsers check one. */
export function checkEmail(email: string): void {
  if (email.length <= 254 && address.test(email)) return
  throw new UserProblem(
    'usage',
    'email',
    words(
      'the e-mail address must be one such as alice@example.com',
      'alice@example.com のようなメールアドレスを入力してください',
    ),
  )
}

/** The form in which e-mail addresses are compared. */
export const emailKey = (email: string): string => email.toLowerCase()

// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
const address =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i
