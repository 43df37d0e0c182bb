import { packedCommonPasswords } from '../../../db/common-passwords' with { type: 'macro' }
import type { Message } from '../../messages/languages'
import { anyText } from '../../values/text'
import { InvalidValue, mapped, type Value } from '../../values/value'

export interface PasswordOwner {
  readonly username: string
  readonly email: string
}

/** oauth.md §2.1: 8 characters to 1024 bytes, not common, not just the owner's names; no composition rules. */
export const newPassword = (owner: PasswordOwner): Value<string> =>
  mapped(anyText, (password) => {
    const problem = passwordProblem(password.normalize('NFC'), owner)
    return problem === undefined ? password : new InvalidValue(problem)
  })

function passwordProblem(text: string, owner: PasswordOwner): Message | undefined {
  if ([...text].length < 8) return (t) => t.rules.passwordTooShort
  if (Buffer.byteLength(text) > 1024) return (t) => t.rules.passwordTooLong
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return (t) => t.rules.passwordControlCharacters
  if (isCommon(text)) return (t) => t.rules.passwordCommon
  const rest = withoutNames(text, owner)
  const isOfNames =
    rest !== text.toLowerCase() &&
    ([...rest].length < 8 || isCommon(rest) || isCommon(withoutPunctuation(rest)))
  return isOfNames ? (t) => t.rules.passwordOfNames : undefined
}

function isCommon(password: string): boolean {
  common ??= new Set(unpacked(packedCommonPasswords()))
  return common.has(password.toLowerCase())
}

// Loaded on first use: most processes never check a password.
let common: Set<string> | undefined

const unpacked = (text: string) => Bun.zstdDecompressSync(Buffer.from(text, 'base64')).toString().split('\n')

function withoutNames(password: string, { username, email }: PasswordOwner): string {
  const names = [email, ...email.split('@'), username, 'kiroku'].map((name) => name.toLowerCase())
  return names
    .filter((name) => name.length >= 3)
    .reduce((left, name) => left.replaceAll(name, ''), password.toLowerCase())
}

const withoutPunctuation = (text: string) => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
