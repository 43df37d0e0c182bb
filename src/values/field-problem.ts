import { Failure } from '../lib/failure'
import { inEnglish, type Message } from '../messages/languages'
import { InvalidValue, type Value } from './value'

/** A value somebody gave that cannot be: it breaks a rule (`usage`), or does not fit what is there already (`data`). */
export class FieldProblem extends Failure {
  constructor(
    kind: 'usage' | 'data',
    /** The name of its input where a form asks for it. */
    readonly field: string,
    /** A sentence, as the pages show it. The command line shows it in English, after its own name. */
    readonly text: Message,
  ) {
    super(kind, asClause(inEnglish(text)))
  }
}

/** `The name is taken.` → `the name is taken`, as every other failure is written. */
const asClause = (sentence: string): string =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')

/** The value of a text somebody gave. Throws a `FieldProblem` for one that breaks a rule. */
export function valid<T>(field: string, value: Value<T>, text: string): T {
  const read = value.read(text)
  if (read instanceof InvalidValue) throw new FieldProblem('usage', field, read.rule)
  return read
}
