import { positiveInteger } from '../values/number'
import { InvalidValue } from '../values/value'
import { pageNotFound } from './problem'
import type { Visit } from './visit'

/** The id in a page's path. Throws the 404 page for what can be none. */
export function pathId({ params }: Visit): number {
  const id = positiveInteger.read(params.id ?? '')
  if (id instanceof InvalidValue) throw pageNotFound()
  return id
}
