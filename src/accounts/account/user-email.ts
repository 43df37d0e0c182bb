import { emailAddress } from '../../values/address'
import { FieldProblem } from '../../values/field-problem'

/** An e-mail address that a user may have. */
export const userEmail = emailAddress((t) => t.rules.email)

/** Only for whoever may know it: the operator, or the one whose address it is. */
export const emailTaken = (email: string) =>
  new FieldProblem('data', 'email', (t) => t.rules.emailTaken(email))

/** The form in which e-mail addresses are compared. */
export const emailKey = (email: string): string => email.toLowerCase()
