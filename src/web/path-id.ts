import { positiveInteger } from '../values/number'
import { InvalidValue } from '../values/value'
import { pageNotFound } from './problem'
import type { Visit } from './visit'

/** Throws the 404 page for what is not an id. */
export function pathId({ params }: Visit): number {
  const id = positiveInteger.read(params.id ?? '')
  if (id instanceof InvalidValue) throw pageNotFound()
  return id
}
