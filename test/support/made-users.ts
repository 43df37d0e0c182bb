import { createUser } from '../../src/accounts/account/user'
import type { Seed } from './database-copy'
import { cheapPasswords } from './instance'
import type { Directory } from './kiroku'
import { fillData } from './prepared-directory'

const seeds = new Map<string, Seed>()

/** Creates users with the password `correct horse` in the data directory. */
export async function withUsers(directory: Directory, ...names: string[]): Promise<void> {
  const key = names.join(' ')
  const seed = seeds.get(key) ?? usersOf(names)
  seeds.set(key, seed)
  await fillData(directory, seed)
}

const usersOf =
  (names: readonly string[]): Seed =>
  async ({ write }) => {
    for (const username of names) {
      const asked = { username, email: `${username}@example.com`, password: 'correct horse', isAdmin: false }
      await createUser({ write, now: Date.now, passwordCost: cheapPasswords }, asked)
    }
  }
