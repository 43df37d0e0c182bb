import { FieldProblem } from '../../lib/field-problem'
import type { Message } from '../../messages/languages'

/** Which answer of a form about a user cannot be accepted. */
export type UserField =
  | 'username'
  | 'email'
  | 'name'
  | 'password'
  | 'description'
  | 'url'
  | 'account'
  | 'note'

/** A user cannot be made like this: the value breaks a rule (`usage`), or somebody else has it (`data`). */
export class UserProblem extends FieldProblem {
  constructor(
    kind: 'usage' | 'data',
    override readonly field: UserField,
    text: Message,
  ) {
    super(kind, field, text)
  }
}
