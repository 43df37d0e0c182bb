import { words } from '../lib/words'

/** The scopes of D49 as a form offers them; the first, which asks for least, is what is meant when none is chosen. */
export const scopeOptions = {
  read: words('Read', '読み取り'),
  'read write': words('Read and write', '読み取りと書き込み'),
  write: words('Write', '書き込み'),
} as const
