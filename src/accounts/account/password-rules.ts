import { packedCommonPasswords } from '../../../db/common-passwords' with { type: 'macro' }
import type { Message } from '../../messages/languages'
import { UserProblem } from './user-problem'

/** Whose password it is to be. */
export interface PasswordOwner {
  readonly username: string
  readonly email: string
}

/**
 * Throws a `UserProblem` for a password that nobody should have (oauth.md §2.1): shorter than 8 characters or longer than
 * 1024 bytes, one of those that everybody tries first, or hardly more than the names an attacker knows. What it is
 * composed of is nobody's concern.
 */
export function checkNewPassword(password: string, owner: PasswordOwner): void {
  const text = password.normalize('NFC')
  if ([...text].length < 8) throw unfit((t) => t.rules.passwordTooShort)
  if (Buffer.byteLength(text) > 1024) throw unfit((t) => t.rules.passwordTooLong)
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) throw unfit((t) => t.rules.passwordControlCharacters)
  if (isCommon(text)) throw unfit((t) => t.rules.passwordCommon)
  const rest = besidesNames(text, owner)
  if (rest !== text.toLowerCase() && ([...rest].length < 8 || isCommon(rest) || isCommon(trimmed(rest)))) {
    throw unfit((t) => t.rules.passwordOfNames)
  }
}

function isCommon(password: string): boolean {
  common ??= new Set(unpacked(packedCommonPasswords()))
  return common.has(password.toLowerCase())
}

// Made when it is first needed: most processes never look.
let common: Set<string> | undefined

const unpacked = (text: string) => Bun.zstdDecompressSync(Buffer.from(text, 'base64')).toString().split('\n')

/** What nobody can know of a password from its owner, in lower case. */
function besidesNames(password: string, { username, email }: PasswordOwner): string {
  const names = [email, ...email.split('@'), username, 'kiroku'].map((name) => name.toLowerCase())
  return names
    .filter((name) => name.length >= 3)
    .reduce((left, name) => left.replaceAll(name, ''), password.toLowerCase())
}

/** Without what joins a word to a name. */
const trimmed = (text: string) => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

const unfit = (rule: Message) => new UserProblem('usage', 'password', rule)
