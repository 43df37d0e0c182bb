import type { TokenScope } from '../accounts/token'
import { type Words, words } from '../lib/words'
import { parseScope } from '../oauth/scope'
import { choice, type Field } from '../web/fields'

/** The scopes of D49 as a form offers them; the first, which asks for least, is what is meant when none is chosen. */
const scopeOptions = {
  read: words('Read', '読み取り'),
  'read write': words('Read and write', '読み取りと書き込み'),
  write: words('Write', '書き込み'),
} as const

/** A choice of scopes; programs that fill in the form may write them in any order, as everywhere (RFC 6749 §3.3). */
export function scopeField(label: Words): Field<TokenScope> {
  const field = choice({ label, options: scopeOptions })
  return { ...field, read: (text) => field.read(parseScope(text) ?? text) }
}
