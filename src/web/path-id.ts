import { pageNotFound } from './problem'
import type { Visit } from './visit'

/** The id in a page's path. Throws the 404 page for what can be none. */
export function pathId({ params }: Visit): number {
  const { id = '' } = params
  if (!/^[1-9][0-9]{0,14}$/.test(id)) throw pageNotFound()
  return Number(id)
}
