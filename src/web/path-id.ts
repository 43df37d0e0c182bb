import { positiveInteger } from '../values/number'
import { readIfValid, type Value } from '../values/value'
import { pageNotFound } from './problem'
import type { Visit } from './visit'

export const pathId = ({ params }: Visit): number => readOrNotFound(positiveInteger, params.id)

/** Throws the 404 page for a text that breaks the rule. */
export function readOrNotFound<T>(value: Value<T>, text = ''): T {
  const read = readIfValid(value, text)
  if (read === undefined) throw pageNotFound()
  return read
}
