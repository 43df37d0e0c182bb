import { Database } from 'bun:sqlite'
import { createUser } from '../../src/accounts/account/user'
import { createToken } from '../../src/accounts/token'
import { openUpgraded } from '../../src/cli/open'
import { episode, header, textOf, work } from './catalogue-store'
import { cheapPasswords } from './instance'
import type { Directory } from './kiroku'
import type { Found } from './ledger'
import type { Desk } from './ledger-writer'

const usernames = ['mio', 'ritsu', 'azusa']
const works = [1, 2, 3, 4, 5, 6]

/** The catalogue that the writers of a ledger write about. */
export const deskCatalogue = textOf(header('annict'), [
  ...works.map((id) => work(`annict:${id}`)),
  ...works.flatMap((id) =>
    Array.from({ length: 12 }, (_, n) => episode(`annict:${id * 100 + n + 1}`, `annict:${id}`, n + 1)),
  ),
])

/** Two writers per user, each with half of the works. */
export async function desksOf(directory: Directory): Promise<readonly Desk[]> {
  const desks: Desk[] = []
  const store = openUpgraded(directory.file('data'))
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const deps = { ...store, now: Date.now, random, passwordCost: cheapPasswords }
  for (const username of usernames) {
    const asked = { username, email: `${username}@example.com`, password: 'correct horse', isAdmin: false }
    const userId = await createUser(deps, asked)
    const { token } = await createToken(deps, { userId, description: 'ledger', scope: 'read write' })
    for (const half of [0, 1]) {
      const own = works.filter((id) => id % 2 === half)
      const episodes = own.flatMap((id) => Array.from({ length: 12 }, (_, n) => id * 100 + n + 1))
      desks.push({ name: `${username}${half}`, username, token, works: own, episodes })
    }
  }
  await store.close()
  return desks
}

/** Everything that users wrote, as in the database; a text begins with its key. */
export function foundIn(database: string): Found[] {
  using handle = new Database(database, { readonly: true })
  const written = handle.query<{ id: number; who: string; about: number; text: string; state: string }, []>(`
    select r.id, username as who, episode_id as about, comment as text, rating_state as state
    from records r join users on users.id = user_id
    union all
    select r.id, username, work_id, body, rating_overall_state
    from reviews r join users on users.id = user_id`)
  const statuses = handle.query<Found, []>(`
    select 'status:' || username || ':' || work_id as key, 0 as id, kind as content
    from statuses join users on users.id = user_id`)
  const texts = written.all().map(({ id, who, about, text, state }) => {
    return { key: text.split(' ')[0] ?? '', id, content: JSON.stringify([who, about, text, state]) }
  })
  return [...texts, ...statuses.all()]
}
