import type { Database } from 'bun:sqlite'
import type { Member } from '../members/members'
import { createProfiles } from '../members/names'
import type { Random } from '../random'
import { nextId, rowsInto } from './rows'

/** Writes the members as users in the order in which they joined. Returns the first one's id. */
export function writeMembers(handle: Database, members: readonly Member[], random: Random): number {
  const firstId = nextId(handle, 'users')
  const profileFor = createProfiles(takenNames(handle), random)
  const rows = rowsInto(handle, 'users', userColumns)
  for (const [place, { language, joined }] of members.entries()) {
    const { username, name, description, url } = profileFor(language)
    const email = `${username}@${domain}`
    const keys = [username.toLowerCase(), email.toLowerCase()]
    rows.add([firstId + place, username, name, description, url, email, ...keys, noPassword, joined])
  }
  rows.end()
  return firstId
}

/** By key: those of users, and those whose made-up e-mail address somebody has. */
function takenNames(handle: Database): Set<string> {
  const rows = handle
    .query<{ key: string }, [string, string]>(
      `select username_key as key from users
       union select substr(email_key, 1, length(email_key) - length(?)) from users where email_key like '%@' || ?`,
    )
    .all(`@${domain}`, domain)
  return new Set(rows.map(({ key }) => key))
}

const userColumns = [
  ...['id', 'username', 'name', 'description', 'url', 'email', 'username_key', 'email_key'],
  ...['password_hash', 'created_at'],
]
// RFC 2606: no mail ever gets there.
const domain = 'demo.invalid'
// No password has this for a hash, so nobody signs in as a made-up user.
const noPassword = '!'
