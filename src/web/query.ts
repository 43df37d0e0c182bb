import { NotText, readQuery } from '../http/request-values'
import type { Visit } from './visit'

/** The text of a parameter of the page's address; '' when it is missing or was sent twice. */
export function queryText({ request }: Visit, name: string): string {
  const text = readQuery(request, { repeats: false }).get(name)
  return text === undefined || text instanceof NotText ? '' : text
}
