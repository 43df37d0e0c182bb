import { readQuery, textOrBlank } from '../http/request-values'
import type { Visit } from './visit'

/** '' if missing or sent twice. */
export const queryText = ({ request }: Visit, name: string): string =>
  textOrBlank(readQuery(request, { repeats: false }), name)
