import { isEmailAddress } from '../../lib/email-address'
import { UserProblem } from './user-problem'

/** Throws a `UserProblem` unless the text is an e-mail address as browsers check one. */
export function checkEmail(email: string): void {
  if (isEmailAddress(email)) return
  throw new UserProblem('usage', 'email', (t) => t.rules.email)
}

/** Only for whoever may know it: the operator, or the one whose address it is. */
export const emailTaken = (email: string) =>
  new UserProblem('data', 'email', (t) => t.rules.emailTaken(email))

/** The form in which e-mail addresses are compared. */
export const emailKey = (email: string): string => email.toLowerCase()
