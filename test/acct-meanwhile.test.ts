import { afterEach, beforeEach, expect, test } from 'bun:test'
import { passwordMatches } from '../src/accounts/password'
import { checkPassword } from '../src/accounts/sign-in'
import { createUser } from '../src/accounts/user'
import type { Write } from '../src/db/write'
import { createInstance, type Instance } from './instance'

const password = 'correct horse battery'
const cheap = { algorithm: 'argon2id', memoryCost: 8192, timeCost: 1 } as const

let kiroku: Instance
let nodoka: number

beforeEach(async () => {
  kiroku = await createInstance()
  const asked = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  nodoka = await createUser(kiroku.deps, asked)
})
afterEach(() => kiroku.close())

/** A writer that lets something else happen once the n-th write of a request is done, and before the next. */
function withMeanwhile(n: number, meanwhile: () => Promise<unknown>): Write {
  let left = n
  return async (change) => {
    const result = await kiroku.deps.write(change)
    left -= 1
    if (left === 0) await meanwhile()
    return result
  }
}

const setHash = (password_hash: string) =>
  kiroku.deps.write((tx) => tx.updateTable('users').set({ password_hash }).where('id', '=', nodoka).execute())

test('a weak hash is not made anew over a password that was changed meanwhile', async () => {
  await setHash(await Bun.password.hash(password, cheap))
  const changed = await Bun.password.hash('another horse battery', cheap)
  // The attempt is counted, then taken back; after that the hash is made anew.
  const write = withMeanwhile(2, () => setHash(changed))
  await checkPassword(
    { ...kiroku.deps, write },
    { name: 'nodoka', password, address: '192.0.2.1', device: '' },
  )
  const { password_hash } = await kiroku.deps.read
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', nodoka)
    .executeTakeFirstOrThrow()
  expect(await passwordMatches(password, password_hash)).toBe(false)
  expect(password_hash).toBe(changed)
})
