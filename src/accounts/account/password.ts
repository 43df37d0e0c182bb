import type { Deps } from '../../deps'
import { valid } from '../../values/field-problem'
import { newPassword, type PasswordOwner } from './password-rules'

/**
 * The argon2id hash of a password that somebody chose. Throws a `FieldProblem` for one that breaks the rules: hashing takes
 * time and memory, so what is refused is refused before it. Throws `PasswordsBusy`.
 */
export async function hashNewPassword(
  password: string,
  owner: PasswordOwner,
  cost: PasswordCost,
): Promise<string> {
  valid('password', newPassword(owner), password)
  return await hashPassword(password, cost)
}

/** The hash of a password that was accepted already, whatever the rules are now. Of Unicode only NFC is applied. */
export const hashPassword = (password: string, cost: PasswordCost): Promise<string> =>
  inTurn(() => Bun.password.hash(password.normalize('NFC'), { algorithm: 'argon2id', ...cost }))

/**
 * Whether this is the password behind a hash; false for a hash that is none. For an account that does not exist,
 * compare with `nobodysHash`, so that the answer takes as long.
 */
export async function passwordMatches(password: string, hash: string): Promise<boolean> {
  if (password === '' || Buffer.byteLength(password) > 4096) return false
  return await inTurn(() => Bun.password.verify(password.normalize('NFC'), hash).catch(() => false))
}

export type PasswordCost = Deps['passwordCost']

/** 64 MiB, twice: above OWASP's minimum for argon2id (Password Storage Cheat Sheet), 0.2 s on a small machine. */
export const passwordCost: PasswordCost = { memoryCost: 65_536, timeCost: 2 }

/** The hash of no known password; comparing with it costs as much as with a hash of that cost. */
export const nobodysHash = ({ memoryCost, timeCost }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$o7DeK2/BhpRjMcQ3+aaT7ukpIXq3HJkzYCRjn4Iff0E$/wdbLSActokJw+MA6IZZ/5w9swXdbf3KnKx1m2GWGFQ`

/** Whether a hash is weaker than new ones are: then it is to be made anew when its password is next seen. */
export function isWeak(hash: string, { memoryCost, timeCost }: PasswordCost): boolean {
  const [, memory = 0, time = 0] = (/^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hash) ?? []).map(Number)
  return memory < memoryCost || time < timeCost
}

/** More passwords are waiting to be checked than can be soon; try again later. */
export class PasswordsBusy extends Error {}

/** Hashing takes a core and 64 MiB for a while: one at a time, and few in the queue (promise 12). */
async function inTurn<T>(hash: () => Promise<T>): Promise<T> {
  if (waiting.length >= 20) throw new PasswordsBusy('too many passwords are being checked')
  if (isHashing) await new Promise<void>((resolve) => waiting.push(resolve))
  isHashing = true
  try {
    return await hash()
  } finally {
    const next = waiting.shift()
    // The turn goes on to the next in the queue, or is free.
    if (next === undefined) isHashing = false
    else next()
  }
}

// The one thing here that is not passed in: the machine's memory is everybody's.
let isHashing = false
const waiting: (() => void)[] = []
