import { NotText, type RawValues } from '../http/request-values'
import { inEnglish } from '../messages/languages'
import { type ClientParam, clientParams } from './clients/client-params'
import { oauthError } from './error'

/** Values that were sent exactly once and are not empty. */
export interface ClientTexts {
  get(name: ClientParam): string | undefined
}

/**
 * Parameters sent only in the query, which logs keep, need `oauthQueryParameters` (TK-09, D65). Throws
 * `invalid_request`.
 */
export function readClientTexts(
  body: RawValues,
  query: RawValues,
  { oauthQueryParameters }: { readonly oauthQueryParameters: boolean },
): ClientTexts {
  const texts = textsOf(body)
  for (const [name, value] of textsOf(onlyKnown(query))) {
    const inBody = texts.get(name)
    if (inBody === undefined && !oauthQueryParameters) {
      throw oauthError('invalid_request', `${name} must be sent in the body.`)
    }
    if (inBody !== undefined && inBody !== value) {
      throw oauthError('invalid_request', `${name} in the query must be the same as in the body.`)
    }
    texts.set(name, value)
  }
  return texts
}

function textsOf(sent: RawValues): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [name, value] of sent) {
    const shown = known.has(name) ? name : 'A parameter'
    if (value instanceof NotText) throw oauthError('invalid_request', `${shown} ${inEnglish(value.rule)}.`)
    if (value.length > longest) {
      throw oauthError('invalid_request', `${shown} must not be longer than ${longest} characters.`)
    }
    if (value !== '') texts.set(name, value)
  }
  return texts
}

const onlyKnown = (sent: RawValues): RawValues => new Map([...sent].filter(([name]) => known.has(name)))

const known: ReadonlySet<string> = new Set(Object.keys(clientParams))

const longest = 4096
