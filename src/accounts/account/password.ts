import type { Deps } from '../../deps'
import { oneAtATime } from '../../lib/one-at-a-time'
import { valid } from '../../values/field-problem'
import { newPassword, type PasswordOwner } from './password-rules'

/** Throws a `FieldProblem` before the expensive hashing, or `PasswordsBusy`. */
export async function hashNewPassword(
  password: string,
  owner: PasswordOwner,
  cost: PasswordCost,
): Promise<string> {
  valid('password', newPassword(owner), password)
  return await hashPassword(password, cost)
}

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
