import { Failure } from '../lib/failure'

/** Which answer of a new user cannot be accepted. */
export type UserField = 'username' | 'email' | 'name' | 'password'

/** A user cannot be made like this: the value breaks a rule (`usage`), or somebody else has it (`data`). */
export class UserProblem extends Failure {
  readonly field: UserField

  constructor(kind: 'usage' | 'data', field: UserField, message: string) {
    super(kind, message)
    this.field = field
  }
}
