import type { Database } from 'bun:sqlite'
import { usernameKey, usernameText } from '../accounts/account/user'
import { valid } from '../values/field-problem'
import type { SeededRandom } from './random'
import type { DemoRows } from './rows'
import { endings, givenNames, nicknames, profiles } from './words'

export interface DemoMember {
  readonly id: number
  /** Epoch milliseconds. */
  readonly joinedAt: number
  readonly language: 'ja' | 'en'
  /** From 0 to 1: active members write the most and have the most followers. */
  readonly energy: number
  readonly comments: number
  /** Only followers see what they write (D72). */
  readonly isPrivate: boolean
}

export function createMembers(
  { users, firstId, timeOf }: { users: number; firstId: number; timeOf: (share: number) => number },
  random: SeededRandom,
): readonly DemoMember[] {
  return Array.from({ length: users }, (_, place) => ({
    id: firstId + place,
    joinedAt: timeOf((0.99 * place) / users),
    energy: random.between(0, 1),
    language: random.chance(0.75) ? 'ja' : 'en',
    comments: random.pick([0, 0.1, 0.2, 0.2, 0.3, 0.8]),
    // Every third, so that small communities have some, too.
    isPrivate: place % 3 === 2,
  }))
}

/** `taken` holds the existing usernames (by key); new ones are added to it. */
export function* userRows(
  members: readonly DemoMember[],
  taken: Set<string>,
  random: SeededRandom,
): DemoRows {
  for (const { id, joinedAt: joined, language, isPrivate } of members) {
    const username = freeUsername(taken, random)
    const email = `${username}@${domain}`
    const isNamed = language === 'ja' && random.chance(0.8)
    const values = {
      id,
      username,
      username_key: usernameKey(username),
      email,
      email_key: email.toLowerCase(),
      name: isNamed ? `${random.pick(nicknames)}${random.pick(['', '', 'さん', '☆'])}` : username,
      description: random.chance(0.4) ? random.pick(profiles[language]) : '',
      url: random.chance(0.08) ? `https://example.com/${username}` : null,
      password_hash: noPassword,
      privacy: isPrivate ? 'private' : 'members',
      created_at: joined,
    }
    yield { table: 'users', values }
  }
}

function freeUsername(taken: Set<string>, random: SeededRandom): string {
  for (;;) {
    const words = `${random.pick(givenNames)}${random.pick(['', '_'])}${random.pick(endings)}`
    const username = random.chance(0.3) ? words : `${words}${random.below(10_000)}`
    const key = usernameKey(username)
    if (taken.has(key)) continue
    taken.add(key)
    return valid('username', usernameText, username)
  }
}

export function takenNames(handle: Database): Set<string> {
  const rows = handle
    .query<{ key: string }, [string, string]>(
      `select username_key as key from users
       union select substr(email_key, 1, length(email_key) - length(?)) from users where email_key like '%@' || ?`,
    )
    .all(`@${domain}`, domain)
  return new Set(rows.map(({ key }) => key))
}

// RFC 2606: never resolves, so no mail can be delivered.
const domain = 'demo.invalid'
// No password hashes to this, so nobody can sign in as a made-up user.
const noPassword = '!'
