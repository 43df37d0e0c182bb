import { Failure } from '../lib/failure'
import { inEnglish, type Message } from '../messages/languages'
import { InvalidValue, type Value } from './value'

/** A refused value: it breaks a rule (`usage`) or conflicts with stored data (`data`). */
export class FieldProblem extends Failure {
  constructor(
    kind: 'usage' | 'data',
    readonly field: string,
    /** A sentence. The command line shows it in English, after its own name. */
    readonly text: Message,
  ) {
    super(kind, asClause(inEnglish(text)))
  }
}

const asClause = (sentence: string): string =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')

/** Throws a `FieldProblem`. */
export function valid<T>(field: string, value: Value<T>, text: string): T {
  const read = value.read(text)
  if (read instanceof InvalidValue) throw new FieldProblem('usage', field, read.rule)
  return read
}
