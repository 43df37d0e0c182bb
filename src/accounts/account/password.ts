import { packedCommonPasswords } from '../../../db/common-passwords' with { type: 'macro' }
import type { Deps } from '../../deps'
import { oneAtATime } from '../../lib/one-at-a-time'
import type { Message } from '../../messages/languages'
import { valid } from '../../values/field-problem'
import { anyText } from '../../values/text'
import { InvalidValue, mapped, type Value } from '../../values/value'

/** Throws a `FieldProblem` before the expensive hashing, or `PasswordsBusy`. */
export async function hashNewPassword(
  password: string,
  owner: PasswordOwner,
  cost: PasswordCost,
): Promise<string> {
  valid('password', newPassword(owner), password)
  return await hashPassword(password, cost)
}

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

/** For a password that was accepted earlier, whatever the rules are now. */
export const hashPassword = (password: string, cost: PasswordCost): Promise<string> =>
  hashInTurn(() => Bun.password.hash(password.normalize('NFC'), { algorithm: 'argon2id', ...cost }))

/** False for a malformed hash. For an unknown account, compare with `nobodysHash` to take the same time. */
export async function passwordMatches(password: string, hash: string): Promise<boolean> {
  if (password === '' || Buffer.byteLength(password) > 4096) return false
  return await hashInTurn(() => Bun.password.verify(password.normalize('NFC'), hash).catch(() => false))
}

export type PasswordCost = Deps['passwordCost']

/** 64 MiB, 2 passes: above OWASP's minimum for argon2id (Password Storage Cheat Sheet); 0.2 s on a small machine. */
export const passwordCost: PasswordCost = { memoryCost: 65_536, timeCost: 2 }

/** A hash that no password matches and that takes as long to verify as a real one. */
export const nobodysHash = ({ memoryCost, timeCost }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$o7DeK2/BhpRjMcQ3+aaT7ukpIXq3HJkzYCRjn4Iff0E$/wdbLSActokJw+MA6IZZ/5w9swXdbf3KnKx1m2GWGFQ`

export function isWeak(hash: string, { memoryCost, timeCost }: PasswordCost): boolean {
  const [, memory = 0, time = 0] = (/^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hash) ?? []).map(Number)
  return memory < memoryCost || time < timeCost
}

/** The queue is full; try again later. */
export class PasswordsBusy extends Error {}

/** Hashing takes a core and 64 MiB (promise 12), so the limit is per process. */
const hashInTurn = oneAtATime(20, () => new PasswordsBusy('too many passwords are being checked'))
