import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { providerAt } from '../../support/identity-provider'
import { comeBack, createHousehold, problemOf, signInWith } from '../../support/provider-visits'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

const household = await createHousehold()
const { kiroku, home } = household
afterAll(() => household.close())

let nodoka: Visitor
let count = 0
let username = ''

beforeEach(async () => {
  username = `nodoka${count++}`
  const user = { username, email: `${username}@example.com`, password: 'correct horse', isAdmin: false }
  await createUser(kiroku.deps, user)
  nodoka = await createMember(kiroku, username)
  Object.assign(home, { faults: {}, person: { sub: username, preferred_username: 'at_home' } })
  kiroku.lines.length = 0
})

const path = '/settings/providers'
const connect = async (visitor = nodoka) =>
  await comeBack(household, visitor, await visitor.submit(path, {}, `${path}/home/connect`))
const identity = () =>
  kiroku.deps.read
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['identities.id', 'username'])
    .where('subject', '=', username)
    .executeTakeFirst()
const events = (name: string) => kiroku.lines.filter(({ event }) => event === name).map(({ facts }) => facts)

test('a member connects in two taps, sees as whom, and signs in with it', async () => {
  const before = await nodoka.open(path)
  expect(before.text).toMatch(/data-act="connect" data-provider="home"/)
  expect(before.headers.get('content-security-policy')).toContain(`form-action 'self' https: ${home.issuer};`)
  for (const page of ['/settings', '/settings/passkeys'])
    expect((await nodoka.open(page)).text).toContain('href="/settings/providers"')
  expect((await connect()).location).toBe(path)
  const page = await nodoka.open(path)
  expect(page.text).toMatch(/家のアカウント<\/b> as at_home/)
  expect(page.text).toContain('data-act="disconnect"')
  expect(events('identity_connected')).toHaveLength(1)
  const elsewhere = createVisitor(kiroku)
  expect((await signInWith(household, elsewhere)).location).toBe('/')
  expect((await elsewhere.open('/settings')).text).toContain(username)
  // A second time changes nothing.
  await nodoka.post(`${path}/home/connect`, {})
  expect((await connectAgain()).location).toBe(path)
  expect(events('identity_connected')).toHaveLength(1)
})

async function connectAgain() {
  const { csrf = '' } = await hidden()
  return await comeBack(household, nodoka, await nodoka.post(`${path}/home/connect`, { csrf }))
}

async function hidden(): Promise<Record<string, string>> {
  const { text } = await nodoka.open(path)
  return { csrf: /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '' }
}

test('nobody is made to connect: a token, a fresh confirmation and the same session (§6, forced connecting)', async () => {
  expect((await nodoka.open(`${path}/home/connect`)).status).toBe(405)
  expect((await nodoka.post(`${path}/home/connect`, {})).status).toBe(403)
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  expect((await nodoka.post(`${path}/home/connect`, await hidden(), headers)).status).toBe(403)
  const fields = await hidden()
  kiroku.clock.now += 16 * 60_000
  expect((await nodoka.post(`${path}/home/connect`, fields)).location).toStartWith('/confirm?return_to=')
  const other = await createMember(kiroku, username)
  const { location } = await other.submit(path, {}, `${path}/home/connect`)
  const { pathname, search } = new URL(home.visit(location))
  const fresh = await createMember(kiroku, username)
  expect(problemOf(await fresh.open(pathname + search))).toBe('attempt')
  expect(await identity()).toBeUndefined()
})

test('an attempt to connect ends with its session', async () => {
  const { location } = await nodoka.submit(path, {}, `${path}/home/connect`)
  await kiroku.deps.write((tx) => tx.deleteFrom('sessions').execute())
  const { pathname, search } = new URL(home.visit(location))
  expect(problemOf(await nodoka.open(pathname + search))).toBe('attempt')
})

test('somebody who is connected with another account stays there (409)', async () => {
  await connect()
  const holder = await identity()
  await createUser(kiroku.deps, {
    ...{
      username: `other${count}`,
      email: `o${count}@example.com`,
      password: 'correct horse',
      isAdmin: false,
    },
  })
  const page = await connect(await createMember(kiroku, `other${count}`))
  expect([page.status, problemOf(page), page.text.includes(username)]).toEqual([409, 'taken', false])
  expect(await identity()).toEqual(holder)
  home.person = { sub: `${username}-second` }
  const { csrf = '' } = await hidden()
  const second = await comeBack(household, nodoka, await nodoka.post(`${path}/home/connect`, { csrf }))
  expect(problemOf(second)).toBe('taken')
})

test('disconnecting ends the sessions that began so, and frees the person there', async () => {
  await connect()
  const elsewhere = createVisitor(kiroku)
  await signInWith(household, elsewhere)
  const { id = 0 } = (await identity()) ?? {}
  expect((await nodoka.submit(path, {}, `${path}/${id}/disconnect`)).location).toBe(path)
  expect([(await elsewhere.open('/settings')).status, (await nodoka.open('/settings')).status]).toEqual([
    303, 200,
  ])
  expect(await identity()).toBeUndefined()
  expect(problemOf(await signInWith(household, elsewhere))).toBe('unknown')
  expect(events('identity_disconnected')).toMatchObject([{ provider: 'home' }])
})

test('D100: the last way in stays, and another’s is not found', async () => {
  await connect()
  const { id = 0 } = (await identity()) ?? {}
  const stranger = await createMember(kiroku, 'mio')
  const { text } = await stranger.open(path)
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  expect((await stranger.post(`${path}/${id}/disconnect`, { csrf })).status).toBe(404)
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ password_hash: '' }).where('username', '=', username).execute(),
  )
  const refused = await nodoka.submit(path, {}, `${path}/${id}/disconnect`)
  expect([refused.status, refused.text.includes('your only way to sign in')]).toEqual([422, true])
  expect((await identity())?.id).toBe(id)
})

test('D100: of the last two that are disconnected at once, one stays', async () => {
  const away = { issuer: 'https://away.example' }
  const others = [providerAt(away, { id: 'away', name: 'Away' })]
  const household = await createHousehold({}, {}, others)
  const { deps } = household.kiroku
  const user = { username, email: `${username}@example.com`, password: 'correct horse', isAdmin: false }
  const user_id = await createUser(deps, user)
  const member = await createMember(household.kiroku, username)
  const row = { user_id, subject: username, name: '', created_at: deps.now() }
  await deps.write(async (tx) => {
    for (const { issuer } of [household.home, away])
      await tx
        .insertInto('identities')
        .values({ ...row, issuer })
        .execute()
    await tx.updateTable('users').set({ password_hash: '' }).where('id', '=', user_id).execute()
  })
  const paths = [1, 2].map((id) => `${path}/${id}/disconnect`)
  const pages = await Promise.all(paths.map((one) => member.submit(path, {}, one)))
  expect(pages.map(({ status }) => status).toSorted()).toEqual([303, 422])
  expect(await deps.read.selectFrom('identities').select('user_id').execute()).toEqual([{ user_id }])
  await household.close()
})

test('§4: confirming takes the same person and a new proof there, and nothing of an old session', async () => {
  await connect()
  const fields = { return_to: '/settings/sessions' }
  const confirm = async () => {
    kiroku.clock.now += 16 * 60_000
    const page = await nodoka.open('/confirm?return_to=%2Fsettings%2Fsessions')
    expect(page.headers.get('content-security-policy')).toContain(home.issuer)
    return await nodoka.submit('/confirm?return_to=%2Fsettings%2Fsessions', fields, '/confirm/with/home')
  }
  const open = async () => (await nodoka.open('/settings/sessions')).status
  const started = await confirm()
  expect(await open()).toBe(303)
  const cookie = [...nodoka.cookies.values()].join()
  const good = await comeBack(household, nodoka, started)
  expect(['prompt', 'max_age'].map((name) => home.request().get(name))).toEqual(['login', '0'])
  expect([good.location, await open(), [...nodoka.cookies.values()].join() === cookie]).toEqual([
    ...['/settings/sessions', 200, false],
  ])
  home.faults.claims = (claims) => ({ ...claims, auth_time: Math.floor(kiroku.clock.now / 1000) - 61 })
  const stale = await comeBack(household, nodoka, await confirm())
  expect([stale.status, problemOf(stale), await open()]).toEqual([400, 'stale', 303])
  home.faults.claims = (claims) => ({ ...claims, auth_time: Math.floor(kiroku.clock.now / 1000) - 59 })
  expect((await comeBack(household, nodoka, await confirm())).location).toBe('/settings/sessions')
  home.faults.claims = ({ auth_time: _, ...claims }) => claims
  expect((await comeBack(household, nodoka, await confirm())).location).toBe('/settings/sessions')
  home.person = { sub: 'somebody-else' }
  const other = await comeBack(household, nodoka, await confirm())
  expect([other.status, problemOf(other), await open()]).toEqual([403, 'other', 303])
  home.faults = { answer: (params) => params.set('error', 'access_denied') }
  expect([problemOf(await comeBack(household, nodoka, await confirm())), await open()]).toEqual([
    'denied',
    303,
  ])
})

test('an account without a password confirms with its provider', async () => {
  await connect()
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ password_hash: '' }).where('username', '=', username).execute(),
  )
  kiroku.clock.now += 16 * 60_000
  const page = await nodoka.open('/confirm?return_to=%2Fsettings%2Fsessions')
  expect([page.text.includes('type="password"'), page.text.includes('data-act="confirm-with"')]).toEqual([
    false,
    true,
  ])
})
