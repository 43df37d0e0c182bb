import type { Tx } from '../../db/write'
import { beginAttempt, type Counted } from './throttle'
import { digest } from './throttle-kinds'

/** How many letters that anybody may ask for go to one reader in any 24 hours (D53). */
const lettersADay = 5
const day = 86_400_000

/** Whom letters are counted for: an account, or an address that may be nobody's. */
export type Reader = { readonly userId: number } | { readonly email: string }

/**
 * Takes one of a reader's letters, inside a write; false when there is none left. Whoever asked is to see no difference:
 * it may be a stranger.
 */
export async function takeLetter(tx: Tx, reader: Reader, at: number): Promise<boolean> {
  for (let place = 1; place <= lettersADay; place += 1) {
    const { wait } = await beginAttempt(tx, [letter(reader, place)], at)
    if (wait === 0) return true
  }
  return false
}

/** Each of the letters has a place of its own, which is free again a day after it was taken. */
const letter = (reader: Reader, place: number): Counted => ({
  key: `letter:${nameOf(reader)}:${place}`,
  free: 1,
  firstWait: day,
  longestWait: day,
  forgetsOneIn: day,
})

const nameOf = (reader: Reader): string => ('userId' in reader ? String(reader.userId) : digest(reader.email))
