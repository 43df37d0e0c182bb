import { emailAddress } from '../../values/address'
import { InvalidValue } from '../../values/value'
import { UserProblem } from './user-problem'

const address = emailAddress((t) => t.rules.email)

/** Throws a `UserProblem` unless the text is an e-mail address as browsers check one. */
export function checkEmail(email: string): void {
  const read = address.read(email)
  if (read instanceof InvalidValue) throw new UserProblem('usage', 'email', read.rule)
}

/** Only for whoever may know it: the operator, or the one whose address it is. */
export const emailTaken = (email: string) =>
  new UserProblem('data', 'email', (t) => t.rules.emailTaken(email))

/** The form in which e-mail addresses are compared. */
export const emailKey = (email: string): string => email.toLowerCase()
