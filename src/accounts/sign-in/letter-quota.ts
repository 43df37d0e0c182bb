import type { Tx } from '../../db/write'
import { beginAttempt, type Throttle } from './throttle'
import { nameDigest } from './throttle-kinds'

/** How many letters strangers can have sent to one reader in 24 hours (D53). */
const lettersADay = 5
const day = 86_400_000

/** `email` may be an address that belongs to no account. */
export type LetterReader = { readonly userId: number } | { readonly email: string }

/** False if the quota is used up, which the caller must not reveal: a stranger may be asking. */
export async function takeLetter(tx: Tx, reader: LetterReader, at: number): Promise<boolean> {
  for (let place = 1; place <= lettersADay; place += 1) {
    const { wait } = await beginAttempt(tx, [letterThrottle(reader, place)], at)
    if (wait === 0) return true
  }
  return false
}

/** One throttle for each of the daily letters. */
const letterThrottle = (reader: LetterReader, place: number): Throttle => ({
  key: `letter:${nameOf(reader)}:${place}`,
  freeAttempts: 1,
  firstWait: day,
  longestWait: day,
  decayTime: day,
})

const nameOf = (reader: LetterReader): string =>
  'userId' in reader ? String(reader.userId) : nameDigest(reader.email)
