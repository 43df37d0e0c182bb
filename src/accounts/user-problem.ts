import { Failure } from '../lib/failure'
import type { Words } from '../lib/words'

/** Which answer of a form about a user cannot be accepted. */
export type UserField = 'username' | 'email' | 'name' | 'password' | 'note'

/** A user cannot be made like this: the value breaks a rule (`usage`), or somebody else has it (`data`). */
export class UserProblem extends Failure {
  constructor(
    kind: 'usage' | 'data',
    readonly field: UserField,
    /** As the pages say it; the command line says it in English. */
    readonly words: Words,
  ) {
    super(kind, words.en)
  }
}
