import { expect, test } from 'bun:test'
import { createInvitation } from '../../../src/accounts/account/invitation'
import { acceptRequest } from '../../../src/accounts/account/join-request'
import { createUser } from '../../../src/accounts/account/user'
import { opened, problemOf, signInWith, useHouseholds } from '../../support/provider-visits'
import { createVisitor } from '../../support/visitor'

useHouseholds()

test('D103: with sign-up on, an account is made even where registration is closed, without a password', async () => {
  const person = { preferred_username: 'nodoka', email: 'nodoka@example.com', email_verified: true }
  const { come, account, visitor, kiroku } = await opened({ signUp: true }, person, {
    registration: 'closed',
  })
  expect((await come('?return_to=%2Fsettings')).location).toBe('/welcome')
  expect(await account('nodoka')).toEqual({
    ...{ username: 'nodoka', email: 'nodoka@example.com', email_key: 'nodoka@example.com' },
    ...{ password_hash: '', is_admin: 0, invited_by: null, subject: 'sub-1' },
  })
  expect((await visitor.open('/settings')).status).toBe(200)
  expect(kiroku.lines.find(({ event }) => event === 'sign_up')?.facts).toMatchObject({ provider: 'home' })
  expect((await createVisitor(kiroku).signIn('nodoka', '')).status).toBe(422)
})

test.each([
  ['ｎｏｄｏｋａ.t-1', 'nodoka_t_1'],
  ['nodoka@example.com', 'nodoka_example_com'],
  ['のどか', '___'],
  ['a'.repeat(30), 'a'.repeat(20)],
])('a username is made from %j', async (preferred_username, username) => {
  const { come, account } = await opened({ signUp: true }, { preferred_username })
  await come()
  expect((await account(username))?.subject).toBe('sub-1')
})

test.each([
  [{}, '', null],
  [{ email: 'a@example.com' }, 'a@example.com', null],
  [{ email: 'a@example.com', email_verified: 'true' }, 'a@example.com', null],
  [{ email: 'a@example.com', email_verified: 1 }, 'a@example.com', null],
  [{ email: 'A@Example.com', email_verified: true }, 'A@Example.com', 'a@example.com'],
  [{ email: 'mio@example.com', email_verified: true }, 'mio@example.com', null],
  [{ email: 'no address', email_verified: true }, '', null],
])(
  'an address is confirmed only if the provider says true and nobody has it: %j',
  async (person, email, email_key) => {
    const { come, account } = await opened({ signUp: true }, { nickname: 'nodoka', ...person })
    await come()
    expect(await account('nodoka')).toMatchObject({ email, email_key })
  },
)

test('a name that is taken is never that account: another is chosen (D102)', async () => {
  const { come, account, visitor, kiroku } = await opened({ signUp: true }, { preferred_username: 'MIO' })
  expect((await come()).location).toBe('/sign_in/new')
  const page = await visitor.open('/sign_in/new')
  expect(page.text).toContain('value="MIO_2"')
  expect(page.text).toContain('href="/sign_in?stay=1&amp;return_to=%2Fsettings%2Fproviders"')
  const taken = await visitor.submit('/sign_in/new', { username: 'mio' })
  expect([taken.status, taken.text.includes('taken')]).toEqual([422, true])
  expect((await visitor.submit('/sign_in/new', { username: 'admin' })).status).toBe(422)
  expect((await account('mio'))?.subject).toBeNull()
  // Another browser has nothing to choose for.
  expect((await createVisitor(kiroku).open('/sign_in/new')).location).toBe('/sign_in?stay=1')
  expect((await visitor.submit('/sign_in/new', { username: 'mio_home' })).location).toBe('/welcome')
  expect((await account('mio_home'))?.subject).toBe('sub-1')
  expect((await visitor.open('/sign_in/new')).location).toBe('/')
  expect(await kiroku.deps.read.selectFrom('provider_attempts').select('id').execute()).toEqual([])
})

test.each([{}, { preferred_username: 'admin' }, { preferred_username: 'deleted_7' }])(
  'a name that is missing or reserved is chosen: %j',
  async (person) => {
    const { come, visitor } = await opened({ signUp: true }, person)
    expect((await come()).location).toBe('/sign_in/new')
    expect((await visitor.open('/sign_in/new')).text).toContain('name="username" value=""')
  },
)

test('whoever takes more than ten minutes to choose begins again', async () => {
  const { come, visitor, kiroku } = await opened({ signUp: true })
  await come()
  kiroku.clock.now += 600_000
  expect((await visitor.open('/sign_in/new')).location).toBe('/sign_in?stay=1')
})

test.each([
  ['open', '/welcome'],
  ['invite', ''],
  ['closed', ''],
] as const)('D103: without sign-up, registration %s decides', async (registration, location) => {
  const { come } = await opened({}, { preferred_username: 'nodoka' }, { registration })
  const back = await come()
  expect([back.location, problemOf(back)]).toEqual([location, location === '' ? 'unknown' : ''])
})

test('D103: an invitation lets them in, once, and its page leads to the provider', async () => {
  const { come, account, kiroku, home, household } = await opened({}, { preferred_username: 'nodoka' })
  const { id: createdBy } = await kiroku.deps.read.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const { code } = await createInvitation(kiroku.deps, { createdBy, uses: 1, expiresIn: undefined, note: '' })
  const page = await createVisitor(kiroku).open(`/invitations/${code}`)
  expect(page.text).toContain(`href="/sign_in/with/home?invitation=${code}"`)
  expect((await come(`?invitation=${code}`)).location).toBe('/welcome')
  expect((await account('nodoka'))?.invited_by).toBe(createdBy)
  home.person = { sub: 'sub-2', preferred_username: 'ritsu' }
  const second = await signInWith(household, createVisitor(kiroku), `?invitation=${code}`)
  expect([problemOf(second), await account('ritsu')]).toEqual(['unknown', undefined])
})

test('D51: with registration approve they answer and wait, and are connected when they are accepted', async () => {
  const config = { registration: 'approve' } as const
  const { come, account, visitor, kiroku } = await opened({}, { preferred_username: 'nodoka' }, config)
  expect((await come()).location).toBe('/sign_in/new')
  expect((await visitor.submit('/sign_in/new', { username: 'nodoka', answer: '' })).status).toBe(422)
  const asked = await visitor.submit('/sign_in/new', { username: 'nodoka', answer: 'K-ON!' })
  expect([asked.status, await account('nodoka')]).toEqual([200, undefined])
  const waiting = await come()
  expect([waiting.status, waiting.text]).toEqual([403, expect.stringContaining('has not been answered yet')])
  const { id } = await kiroku.deps.read.selectFrom('join_requests').select('id').executeTakeFirstOrThrow()
  await acceptRequest(kiroku.deps, id)
  expect((await account('nodoka'))?.subject).toBe('sub-1')
  expect((await come()).location).toBe('/')
})

test('groups decide first, at every sign-in, by exact names (D103)', async () => {
  const provider = { signUp: true, groups: ['anime', 'friends'] }
  const { come, account, home, visitor } = await opened(provider, { preferred_username: 'nodoka' })
  for (const groups of [
    undefined,
    [],
    ['Anime'],
    ['animes'],
    'anime,friends',
    [['anime']],
    { anime: true },
  ]) {
    home.faults.userinfo = (claims) => ({ ...claims, groups })
    expect([groups, problemOf(await come())]).toEqual([groups, 'group'])
  }
  expect(await account('nodoka')).toBeUndefined()
  home.faults.userinfo = (claims) => ({ ...claims, groups: 'friends' })
  expect((await come()).location).toBe('/welcome')
  home.faults.userinfo = (claims) => claims
  visitor.cookies.clear()
  expect(problemOf(await come())).toBe('group')
})

test('groups are found by a JSON Pointer as well', async () => {
  const provider = { signUp: true, groups: ['a/b'], groupsClaim: '/resource/a~1b/roles' }
  const person = { preferred_username: 'nodoka', resource: { 'a/b': { roles: ['a/b'] } } }
  expect((await (await opened(provider, person)).come()).location).toBe('/welcome')
})

test('admin groups give and take rights at each sign-in, and the last administrator stays (§4)', async () => {
  const { come, account, home, visitor, kiroku } = await opened(
    { signUp: true, adminGroups: ['admins'] },
    { preferred_username: 'nodoka', groups: ['admins'] },
  )
  const isAdmin = async (groups: string[]) => {
    home.person = { ...home.person, groups }
    visitor.cookies.clear()
    await come()
    return (await account('nodoka'))?.is_admin
  }
  const boss = { username: 'boss', email: 'boss@example.com', password: 'correct horse', isAdmin: true }
  await createUser(kiroku.deps, boss)
  expect([await isAdmin(['admins']), await isAdmin([]), await isAdmin(['admins'])]).toEqual([1, 0, 1])
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 0 }).where('username', '!=', 'nodoka').execute(),
  )
  expect(await isAdmin([])).toBe(1)
  expect(kiroku.lines.filter(({ event }) => event === 'standing').map(({ facts }) => facts.outcome)).toEqual([
    ...['done', 'done', 'last'],
  ])
})

test('without admin groups, rights stay as they are', async () => {
  const { come, account, visitor, kiroku } = await opened(
    { signUp: true },
    { preferred_username: 'nodoka', groups: ['admins'] },
  )
  await come()
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'nodoka').execute(),
  )
  visitor.cookies.clear()
  await come()
  expect((await account('nodoka'))?.is_admin).toBe(1)
})
