import type { TokenScope } from '../../accounts/token'
import type { Message } from '../../messages/languages'
import { parseScope } from '../../oauth/scope'
import { type ExplainedOption, type FormField, radios } from '../../web/fields'

/**
 * The scopes of D49 as a form offers them. The first, which asks for least, is what is meant when none is chosen, as
 * `kiroku token create` does (D69).
 */
const scopeOptions = {
  read: {
    label: (t) => t.scopes.read,
    hint: (t) => t.scopes.readHint,
  },
  'read write': {
    label: (t) => t.scopes.readWrite,
    hint: (t) => t.scopes.readWriteHint,
  },
  write: {
    label: (t) => t.scopes.write,
    hint: (t) => t.scopes.writeHint,
  },
} satisfies Readonly<Record<TokenScope, ExplainedOption>>

/** A choice of scopes; programs that fill in the form may write them in any order, as everywhere (RFC 6749 §3.3). */
export function scopeField(label: Message): FormField<TokenScope> {
  const field = radios<TokenScope>({ label, options: scopeOptions })
  return { ...field, read: (text) => field.read(parseScope(text) ?? text) }
}
