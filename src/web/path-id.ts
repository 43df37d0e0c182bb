import { positiveInteger } from '../values/number'
import { InvalidValue } from '../values/value'
import { pageNotFound } from './problem'
import type { Visit } from './visit'

export function pathId({ params }: Visit): number {
  const id = positiveInteger.read(params.id ?? '')
  if (id instanceof InvalidValue) throw pageNotFound()
  return id
}
