import { NotText, readQuery } from '../http/request-values'
import type { Visit } from './visit'

/** '' if missing or sent twice. */
export function queryText({ request }: Visit, name: string): string {
  const text = readQuery(request, { repeats: false }).get(name)
  return text === undefined || text instanceof NotText ? '' : text
}
