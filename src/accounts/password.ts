import { UserProblem } from './user-problem'

/**
 * The argon2id hash of a password. Throws a `UserProblem` unless it has at least 8 characters and at most 1024 bytes:
 * hashing takes time and memory, so what is refused is refused before it. Of Unicode only NFC is applied.
 */
export async function hashPassword(password: string): Promise<string> {
  const text = password.normalize('NFC')
  if ([...text].length < 8) throw unfit('must have at least 8 characters')
  if (Buffer.byteLength(text) > 1024) throw unfit('must not have more than 1024 bytes')
  if (!text.isWellFormed() || /\p{Cc}/u.test(text))
    throw unfit('must not hold control characters or line ends')
  return await Bun.password.hash(text, strength)
}

/** Whether this is the password behind a hash; false for a hash that is none. */
export async function passwordMatches(password: string, hash: string): Promise<boolean> {
  if (password === '' || Buffer.byteLength(password) > 4096) return false
  return await Bun.password.verify(password.normalize('NFC'), hash).catch(() => false)
}

// 64 MiB, twice: above OWASP's minimum for argon2id (Password Storage Cheat Sheet), 0.2 s on a small machine.
const strength = { algorithm: 'argon2id', memoryCost: 65_536, timeCost: 2 } as const

const unfit = (rule: string) => new UserProblem('usage', 'password', `the password ${rule}`)
