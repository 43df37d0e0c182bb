import { readQuery, type Sent, Unusable } from '../http/sent'
import { type ClientParam, clientParams } from './client-params'
import { oauthError } from './error'

/** What a client sent, by name: every value is text, was sent once and is not empty. */
export interface Texts {
  get(name: ClientParam): string | undefined
}

/** Checks what was sent (TK-10, TK-21); an empty value is none (RFC 6749 §3.1). Throws `invalid_request`. */
export function readTexts(sent: Sent): Texts {
  const texts = new Map<string, string>()
  for (const [name, value] of sent) {
    const shown = known.has(name) ? name : 'A parameter'
    if (value instanceof Unusable) throw oauthError('invalid_request', `${shown} ${value.rule}.`)
    if (value.length > longest) {
      throw oauthError('invalid_request', `${shown} must not be longer than ${longest} characters.`)
    }
    if (value !== '') texts.set(name, value)
  }
  return texts
}

/** URLs end up in logs and histories, so nothing is taken from there (TK-09). Throws `invalid_request`. */
export function refuseQuery(request: Request): void {
  const name = readQuery(request, { repeats: false })
    .keys()
    .find((one) => known.has(one))
  if (name !== undefined) throw oauthError('invalid_request', `${name} must be sent in the body.`)
}

const known: ReadonlySet<string> = new Set(Object.keys(clientParams))

const longest = 4096
