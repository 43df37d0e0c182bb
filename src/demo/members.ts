import type { Database } from 'bun:sqlite'
import { checkUsername, usernameKey } from '../accounts/account/username'
import type { Random } from './random'
import type { Rows } from './rows'
import { endings, givenNames, nicknames, profiles } from './words'

/** A made-up user. */
export interface Member {
  readonly id: number
  /** Epoch milliseconds. */
  readonly joined: number
  readonly language: 'ja' | 'en'
  /** From 0 to 1: the busiest write most, and are the most famous. */
  readonly energy: number
  /** The share of records with a comment. */
  readonly comments: number
}

/** The community's users, those who joined first in front. */
export function createMembers(
  { users, firstId, timeOf }: { users: number; firstId: number; timeOf: (share: number) => number },
  random: Random,
): readonly Member[] {
  return Array.from({ length: users }, (_, place) => ({
    id: firstId + place,
    joined: timeOf((0.99 * place) / users),
    energy: random.between(0, 1),
    language: random.chance(0.75) ? 'ja' : 'en',
    // Most write a comment now and then; a few nearly always do, and a few never.
    comments: random.pick([0, 0.1, 0.2, 0.2, 0.3, 0.8]),
  }))
}

/** Their rows, under usernames that are not in `taken` yet, by key. */
export function* userRows(members: readonly Member[], taken: Set<string>, random: Random): Rows {
  for (const { id, joined, language } of members) {
    const username = freeUsername(taken, random)
    const email = `${username}@${domain}`
    const isNamed = language === 'ja' && random.chance(0.8)
    const values = {
      ...{ id, username, username_key: usernameKey(username), email, email_key: email.toLowerCase() },
      name: isNamed ? `${random.pick(nicknames)}${random.pick(['', '', 'さん', '☆'])}` : username,
      description: random.chance(0.4) ? random.pick(profiles[language]) : '',
      url: random.chance(0.08) ? `https://example.com/${username}` : null,
      password_hash: noPassword,
      created_at: joined,
    }
    yield { table: 'users', values }
  }
}

function freeUsername(taken: Set<string>, random: Random): string {
  for (;;) {
    const words = `${random.pick(givenNames)}${random.pick(['', '_'])}${random.pick(endings)}`
    const username = random.chance(0.3) ? words : `${words}${random.below(10_000)}`
    const key = usernameKey(username)
    if (taken.has(key)) continue
    taken.add(key)
    checkUsername(username)
    return username
  }
}

/** The usernames nobody new may have, by key: those of users, and those whose made-up e-mail address somebody has. */
export function takenNames(handle: Database): Set<string> {
  const rows = handle
    .query<{ key: string }, [string, string]>(
      `select username_key as key from users
       union select substr(email_key, 1, length(email_key) - length(?)) from users where email_key like '%@' || ?`,
    )
    .all(`@${domain}`, domain)
  return new Set(rows.map(({ key }) => key))
}

// RFC 2606: no mail ever gets there.
const domain = 'demo.invalid'
// No password has this for a hash, so nobody signs in as a made-up user.
const noPassword = '!'
