import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { passwordCost, passwordMatches } from '../../src/accounts/account/password'
import { createUser, findUser, type NewUser } from '../../src/accounts/account/user'
import { listUsers } from '../../src/accounts/account/user-rows'
import { createToken, listTokens, revokeToken } from '../../src/accounts/token'
import { openStore, prepareDirectory, type Store } from '../../src/db/open'
import { Failure } from '../../src/lib/failure'
import { checkSecret, hashSecret } from '../../src/lib/secret'
import { FieldProblem } from '../../src/values/field-problem'
import { duration } from '../../src/values/time'
import { InvalidValue } from '../../src/values/value'
import { openCopy } from '../support/database-copy'
import { type Directory, temporaryDirectory } from '../support/kiroku'

let directory: Directory
let store: Store

beforeAll(async () => {
  directory = temporaryDirectory()
  prepareDirectory(directory.path)
  const handle = await openCopy(directory.path)
  store = openStore(directory.path, handle)
})

afterAll(async () => {
  await store.close()
  directory[Symbol.dispose]()
})

const now = () => Date.UTC(2026, 3, 1, 12)
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const make = (asked: Partial<NewUser>) =>
  createUser(
    { write: store.write, now, passwordCost },
    { ...sound, email: `${asked.username ?? 'x'}@example.com`, ...asked },
  )
const sound = { username: 'sound', email: 'sound@example.com', password: 'correct horse', isAdmin: false }

async function problem(asked: Partial<NewUser>): Promise<{ field: string; code: number; message: string }> {
  const cause = await make(asked).then(
    () => undefined,
    (refused: unknown) => refused,
  )
  if (!(cause instanceof FieldProblem)) throw new Error(`not refused: ${JSON.stringify(asked)} ${cause}`)
  return { field: cause.field, code: cause.exitCode, message: cause.message }
}

describe('D50: a new user is refused', () => {
  test.each([
    ...['', 'a b', 'あ', 'a'.repeat(21), 'a-b', 'a.b', 'mio\n', 'ｍｉｏ', 'mio\0'],
    ...['admin', 'Admin', 'ROOT', 'administrator', 'system', 'support', 'api', 'www', 'kiroku'],
    ...['v1', 'oauth', 'docs', 'livez', 'readyz', 'settings', 'sign_in', 'setup', 'about', 'works', 'people'],
  ])('with the username %j', async (username) => {
    const { field, code } = await problem({ username, email: 'free@example.com' })
    expect([field, code]).toEqual(['username', 64])
  })

  test.each([
    ...[
      '',
      'mio',
      'mio@',
      '@example.com',
      'mio@@example.com',
      'a b@example.com',
      'mio@example.com\n',
      'mio@-x.com',
    ],
    ...['mio@example..com', 'mio@例え.jp', `${'a'.repeat(250)}@b.jp`, 'Mio <mio@example.com>'],
  ])('with the e-mail address %j', async (email) => {
    expect(await problem({ email })).toMatchObject({ field: 'email', code: 64 })
  })

  test.each([
    '',
    '1234567',
    '秘密',
    'あ'.repeat(342),
    'x'.repeat(1025),
    'with\nline end',
    'with\0NUL',
    'lone\ud800',
  ])('with the password %j', async (password) => {
    expect(await problem({ password })).toMatchObject({ field: 'password', code: 64 })
  })

  test.each([' ', 'x'.repeat(51), 'two\nlines', 'turned \u202e round', 'esc\x1b[1m', 'lone\udc00'])(
    'with the name %j',
    async (name) => {
      expect(await problem({ name })).toMatchObject({ field: 'name', code: 64 })
    },
  )

  test('when the name or the address is taken, whatever the case', async () => {
    await make({ username: 'Yui', email: 'Yui@Example.com' })
    expect(await problem({ username: 'yUI', email: 'other@example.com' })).toMatchObject({
      field: 'username',
      code: 65,
    })
    expect(await problem({ username: 'other', email: 'yui@example.COM' })).toMatchObject({
      field: 'email',
      code: 65,
    })
    expect(await findUser(store.read, 'YUI')).toBe(await findUser(store.read, 'yui'))
  })

  test('when it is sent twice at the same time: only one is created', async () => {
    const both = await Promise.allSettled([
      make({ username: 'twin' }),
      make({ username: 'TWIN', email: 'b@example.com' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

test('a user has the requested fields, and by default the username as name', async () => {
  const id = await make({ username: 'ritsu', name: '律\u3099', isAdmin: true })
  const plain = await make({ username: 'a'.repeat(20), password: '8 chars.', email: 'root@localhost' })
  const users = await listUsers(store.read)
  expect(users.find((user) => user.id === id)).toEqual({
    id,
    username: 'ritsu',
    name: '律\u3099'.normalize('NFC'),
    email: 'ritsu@example.com',
    is_admin: 1,
    is_editor: 0,
    disabled_at: null,
    created_at: now(),
    ways: 'password',
  })
  expect(users.find((user) => user.id === plain)).toMatchObject({ name: 'a'.repeat(20), is_admin: 0 })
})

test('passwords are stored as argon2id of their NFC form, and nothing else matches', async () => {
  await make({ username: 'azusa', password: 'pa\u0308ssword' })
  const { password_hash } = await store.read
    .selectFrom('users')
    .select('password_hash')
    .where('username', '=', 'azusa')
    .executeTakeFirstOrThrow()
  expect(password_hash).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
  expect(await passwordMatches('p\u00e4ssword', password_hash)).toBe(true)
  expect(await passwordMatches('password', password_hash)).toBe(false)
  expect(await passwordMatches('', password_hash)).toBe(false)
  expect(await passwordMatches('p\u00e4ssword', 'no hash')).toBe(false)
})

test('ST-01: only a token’s hash is stored; D49: the list omits it, and a revoked token is gone', async () => {
  const userId = await make({ username: 'tsumugi' })
  const deps = { write: store.write, now, random }
  const { id, token } = await createToken(deps, {
    userId,
    description: 'shell',
    scope: 'read write',
    expiresIn: 1000,
  })
  const plain = await createToken(deps, { userId, description: '端末', scope: 'read' })
  expect(checkSecret('pat', token)).toBe(true)
  const row = await store.read
    .selectFrom('tokens')
    .select('token_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(Buffer.compare(row.token_hash, hashSecret(token))).toBe(0)
  const times = { created_at: now(), last_used_at: null }
  expect(await listTokens(store.read, userId)).toEqual([
    { id, description: 'shell', scope: 'read write', expires_at: now() + 1000, ...times },
    { id: plain.id, description: '端末', scope: 'read', expires_at: null, ...times },
  ])
  await revokeToken(store, id)
  expect((await listTokens(store.read, userId)).map((left) => left.id)).toEqual([plain.id])
  expect(revokeToken(store, id)).rejects.toThrow(Failure)
  for (const name of ['kiroku.db', 'kiroku.db-wal']) {
    expect(await Bun.file(directory.file(name)).text()).not.toContain(token.slice(8))
  }
})

test.each(['', '  ', 'x'.repeat(501), 'two\nlines'])(
  'the token description %j is refused',
  async (description) => {
    const userId = await findUser(store.read, 'tsumugi')
    const asked = createToken({ write: store.write, now, random }, { userId, description, scope: 'read' })
    expect(asked).rejects.toThrow('the description must')
  },
)

test('an unknown user is named in the error', () => {
  expect(findUser(store.read, 'nobody')).rejects.toThrow('there is no user called "nobody"')
})

test('a duration is a number with s, m, h or d', () => {
  expect(['45s', '90m', '12h', '30d'].map((text) => duration.read(text))).toEqual([
    45_000, 5_400_000, 43_200_000, 2_592_000_000,
  ])
  const wrong = ['', '30', 'd', '0d', '-1d', '1.5h', '1w', '1d2h', ' 1d', '1D', '٣d', '99999999999d']
  for (const text of wrong) expect([text, duration.read(text) instanceof InvalidValue]).toEqual([text, true])
})
