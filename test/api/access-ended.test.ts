import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { beginDeletion } from '../../src/accounts/account/deletion'
import { changePassword } from '../../src/accounts/account/new-password'
import { Generations } from '../../src/db/generations/generations'
import { databasePath } from '../../src/db/open'
import { run } from '../support/in-process'
import { createInstance, type Instance, withToken } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { until } from '../support/until'
import { createMember, type Visitor } from '../support/visitor'

let kiroku: Instance
let admin: Visitor

// Without the notice that other tests take of what they write.
beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary, generations: (handle) => new Generations(handle) })
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'mio').execute(),
  )
  admin = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

/** The status of a list, which is kept, for a token. */
const statusFor = async (token: string) => (await kiroku.ask('/v1/works', withToken(token))).status

/** A new token that has been used, and whose person is kept: the first use is noted in its table. */
const known = async (username: string) => {
  const token = await kiroku.tokenOf(username, 'read')
  expect(await statusFor(token)).toBe(200)
  const unused = kiroku.deps.read.selectFrom('tokens').select('id').where('last_used_at', 'is', null)
  await until(async () => (await unused.where('user_id', '=', 4).execute()).length === 0)
  expect([await statusFor(token), await statusFor(token)]).toEqual([200, 200])
  return token
}

test('a token revoked on a page is refused at once', async () => {
  const token = await known('azusa')
  const member = await createMember(kiroku, 'azusa')
  const [, id] = /\/settings\/tokens\/(\d+)\/revoke/.exec((await member.open('/settings/tokens')).text) ?? []
  await member.submit(`/settings/tokens/${id}/revoke`)
  expect(await statusFor(token)).toBe(401)
})

test('tokens of a person who is disabled on a page are refused at once, and accepted once enabled', async () => {
  const token = await known('azusa')
  await admin.submit('/admin/users/4/disable', { reason: '宣伝' })
  expect(await statusFor(token)).toBe(401)
  await admin.submit('/admin/users/4', {}, '/admin/users/4/enable')
  expect(await statusFor(token)).toBe(200)
})

test('a person disabled by a command is refused soon, and a token revoked by one', async () => {
  const token = await known('azusa')
  const command = (...words: string[]) =>
    run({ path: kiroku.deps.config.data, file: (name) => name, [Symbol.dispose]: () => {} }, [
      ...words,
      '--data',
      '.',
    ])
  expect((await command('user', 'disable', 'azusa')).code).toBe(0)
  await until(async () => (await statusFor(token)) === 401)
  expect((await command('user', 'enable', 'azusa')).code).toBe(0)
  await until(async () => (await statusFor(token)) === 200)
  using other = new Database(databasePath(kiroku.deps.config.data))
  const [row] = other.query<{ id: number }, []>('select max(id) as id from tokens').all()
  expect((await command('token', 'revoke', String(row?.id))).code).toBe(0)
  await until(async () => (await statusFor(token)) === 401)
})

test('after a deletion of the account, and a password that ends access, tokens are refused at once', async () => {
  const token = await known('azusa')

  const chosen = { password: 'a new and long one', revokesTokens: true, language: 'en' } as const
  await changePassword(kiroku.deps, { userId: 4, sessionId: 0 }, chosen)
  expect(await statusFor(token)).toBe(401)
  const another = await known('azusa')

  await beginDeletion(kiroku.deps, { userId: 4, keepsComments: false })
  expect(await statusFor(another)).toBe(401)
})
