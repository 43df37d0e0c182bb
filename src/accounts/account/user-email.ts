import { emailAddress } from '../../values/address'
import { FieldProblem } from '../../values/field-problem'

export const userEmail = emailAddress((t) => t.rules.email)

/** Reveals that an address is in use: only for the operator or the owner of the address. */
export const emailTaken = (email: string) =>
  new FieldProblem('data', 'email', (t) => t.rules.emailTaken(email))

export const emailKey = (email: string): string => email.toLowerCase()
