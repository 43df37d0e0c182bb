import type { TokenScope } from '../../accounts/token'
import type { Message } from '../../messages/languages'
import { parseScope } from '../../oauth/scope'
import { type ExplainedOption, type FormField, radios } from '../../web/fields'

/** D49. The first, which is the narrowest, is the default, as in `kiroku token create` (D69). */
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

/** Accepts scopes in any order (RFC 6749 §3.3). */
export function scopeField(label: Message): FormField<TokenScope> {
  const field = radios<TokenScope>({ label, options: scopeOptions })
  return { ...field, read: (text) => field.read(parseScope(text) ?? text) }
}
