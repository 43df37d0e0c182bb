import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { connectIdentity } from '../../../src/accounts/provider/identity'
import { createHousehold, type Household, problemOf, signInWith } from '../../support/provider-visits'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

let household: Household
let mio: number

const { kiroku, home } = await (async () => {
  household = await createHousehold()
  return household
})()

const userOf = async (username: string) =>
  (
    await kiroku.deps.read
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id

beforeAll(async () => {
  mio = await userOf('mio')
  const person = { issuer: home.issuer, subject: 'sub-mio', name: 'mio' }
  await kiroku.deps.write((tx) => connectIdentity(tx, mio, person, kiroku.clock.now))
})
beforeEach(() => {
  Object.assign(home, { faults: {}, person: { sub: 'sub-mio', preferred_username: 'mio_at_home' } })
  kiroku.lines.length = 0
})
afterAll(() => household.close())

const events = (name: string) => kiroku.lines.filter(({ event }) => event === name).map(({ facts }) => facts)
const session = (visitor: Visitor) => visitor.open('/settings').then(({ status }) => status === 200)

test('a known person signs in with one tap and comes back to where they were going (§2)', async () => {
  const visitor = createVisitor(kiroku)
  const page = await visitor.open('/sign_in?return_to=%2Fsettings%2Fprofile%3Fa%3D1')
  expect(page.text).toContain('href="/sign_in/with/home?return_to=%2Fsettings%2Fprofile%3Fa%3D1"')
  expect(page.text).toMatch(
    /data-act="sign-in-with" data-provider="home"[^>]*>.*Continue with 家のアカウント/,
  )
  const back = await signInWith(household, visitor, '?return_to=%2Fsettings%2Fprofile%3Fa%3D1')
  expect([back.status, back.location]).toEqual([303, '/settings/profile?a=1'])
  expect(await session(visitor)).toBe(true)
  expect(events('sign_in')).toEqual([
    { id: expect.any(String), way: 'provider', provider: 'home', outcome: 'ok', user: mio },
  ])
  const row = await kiroku.deps.read
    .selectFrom('sessions')
    .innerJoin('identities', 'identities.id', 'identity_id')
    .select(['way', 'subject', 'identities.name', 'identities.last_used_at', 'confirmed_at'])
    .orderBy('sessions.id', 'desc')
    .executeTakeFirstOrThrow()
  expect(row).toEqual({
    ...{ way: 'provider', subject: 'sub-mio', name: 'mio_at_home' },
    ...{ last_used_at: kiroku.clock.now, confirmed_at: kiroku.clock.now },
  })
  expect((await visitor.open('/settings/sign_ins')).text).toMatch(
    /data-way="provider" data-outcome="(?:ok|new_browser)"/,
  )
})

test('whoever is signed in already goes where they wanted, without the provider', async () => {
  const { status, location } = await (await createMember(kiroku, 'mio')).open(
    '/sign_in/with/home?return_to=%2Flibrary',
  )
  expect([status, location]).toEqual([303, '/library'])
})

test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/%5Cevil', 'javascript:alert(1)'])(
  'nobody is sent on to another site: %s (RFC 9700 §4.11)',
  async (target) => {
    const back = await signInWith(
      household,
      createVisitor(kiroku),
      `?return_to=${encodeURIComponent(target)}`,
    )
    expect(new URL(back.location, 'http://localhost:3000').origin).toBe('http://localhost:3000')
  },
)

test('a return address of 8 KB comes back byte for byte, a longer one as the front page', async () => {
  const long = `/search?q=${'%E8%A8%98'.repeat(600)}`
  expect(
    (await signInWith(household, createVisitor(kiroku), `?return_to=${encodeURIComponent(long)}`)).location,
  ).toBe(long)
  const longer = `/search?q=${'a'.repeat(8200)}`
  expect((await signInWith(household, createVisitor(kiroku), `?return_to=${longer}`)).location).toBe('/')
})

test('a sign-in is confirmed as of its auth_time, and not at all without one (ASVS 6.8.4)', async () => {
  home.faults.claims = ({ auth_time: _, ...claims }) => claims
  const unknown = createVisitor(kiroku)
  await signInWith(household, unknown)
  expect((await unknown.open('/settings/sessions')).location).toBe(
    '/confirm?return_to=%2Fsettings%2Fsessions',
  )
  home.faults.claims = (claims) => ({ ...claims, auth_time: Math.floor(kiroku.clock.now / 1000) - 3600 })
  const old = createVisitor(kiroku)
  await signInWith(household, old)
  expect((await old.open('/settings/sessions')).location).toBe('/confirm?return_to=%2Fsettings%2Fsessions')
  home.faults.claims = (claims) => ({ ...claims, auth_time: Math.floor(kiroku.clock.now / 1000) + 9000 })
  const ahead = createVisitor(kiroku)
  await signInWith(household, ahead)
  expect((await ahead.open('/settings/sessions')).status).toBe(200)
  kiroku.clock.now += 16 * 60_000
  expect((await ahead.open('/settings/sessions')).status).toBe(303)
})

test.each([
  ['answer', 400, () => ({ claims: (claims: object) => ({ ...claims, nonce: 'x' }) })],
  [
    'answer',
    400,
    () => ({ answer: (params: URLSearchParams) => params.set('iss', 'https://other.example') }),
  ],
  ['denied', 403, () => ({ answer: (params: URLSearchParams) => params.set('error', 'access_denied') })],
  [
    'unreachable',
    503,
    () => ({
      respond: (path: string) => (path === '/token' ? new Response('', { status: 502 }) : undefined),
    }),
  ],
])('%s is a page that says what to do and nothing about others (%d)', async (problem, status, faults) => {
  const visitor = createVisitor(kiroku)
  home.faults = faults()
  const page = await signInWith(household, visitor)
  expect([page.status, problemOf(page), await session(visitor)]).toEqual([status, problem, false])
  expect(page.text).toContain('href="/sign_in?stay=1"')
  expect(page.text).toMatch(/<code id="reference">[\w-]+<\/code>/)
  expect(page.text).not.toMatch(/sub-mio|mio_at_home|invalid_grant|nonce/)
  const [refused] = events('provider_refused')
  expect([refused?.provider, refused?.problem]).toEqual(['home', problem])
  expect(JSON.stringify(refused)).not.toMatch(/code-\d|token-\d|sub-mio|state=/)
})

test('in Japanese as well', async () => {
  home.faults = { answer: (params) => params.set('error', 'access_denied') }
  const page = await signInWith(household, createVisitor(kiroku, { language: 'ja' }))
  expect(page.text).toContain('もう一度家のアカウントで続けるか、別の方法を選んでください')
})

test('whoever has no account here is told what to do, and none is made (D103)', async () => {
  home.person = { sub: 'sub-x', preferred_username: 'mio', email: 'mio@example.com', email_verified: true }
  const page = await signInWith(household, createVisitor(kiroku))
  expect([page.status, problemOf(page)]).toEqual([403, 'unknown'])
  const { count } = await kiroku.deps.read
    .selectFrom('identities')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(1)
})

test('the same subject of another issuer is nobody (D102)', async () => {
  await kiroku.deps.write((tx) =>
    tx.updateTable('identities').set({ issuer: 'https://other.example' }).execute(),
  )
  expect(problemOf(await signInWith(household, createVisitor(kiroku)))).toBe('unknown')
  await kiroku.deps.write((tx) => tx.updateTable('identities').set({ issuer: home.issuer }).execute())
})

test('a disabled account stays shut, and its owner sees the attempt', async () => {
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ disabled_at: 1 }).where('id', '=', mio).execute(),
  )
  const page = await signInWith(household, createVisitor(kiroku))
  expect([page.status, problemOf(page)]).toEqual([403, 'disabled'])
  await kiroku.deps.write((tx) =>
    tx.updateTable('users').set({ disabled_at: null }).where('id', '=', mio).execute(),
  )
  const noted = await kiroku.deps.read
    .selectFrom('sign_ins')
    .select(['way', 'provider', 'outcome'])
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(noted).toEqual({ way: 'provider', provider: 'home', outcome: 'disabled' })
})

test('unknown providers are no pages, and a header names nobody (D105)', async () => {
  expect((await createVisitor(kiroku).open('/sign_in/with/other')).status).toBe(404)
  const headers = [
    'Remote-User',
    'X-Forwarded-User',
    'Tailscale-User-Login',
    'Cf-Access-Authenticated-User-Email',
  ]
  const named = Object.fromEntries(headers.map((name) => [name, 'mio']))
  expect((await createVisitor(kiroku).open('/settings', { headers: named })).status).toBe(303)
})

test('signing out ends here, and leads to where one may sign out there', async () => {
  const visitor = createVisitor(kiroku)
  await signInWith(household, visitor)
  const out = await visitor.submit('/settings', {}, '/sign_out')
  expect(out.location).toBe('/signed_out?provider=home')
  const page = await visitor.open(out.location)
  expect(page.text).toMatch(
    new RegExp(
      `data-act="sign-out-provider" data-provider="home" href="${home.issuer}/sign_out\\?client_id=kiroku`,
    ),
  )
  expect(page.text).toContain('href="/sign_in?stay=1"')
  expect(await session(visitor)).toBe(false)
  const byPassword = await createMember(kiroku, 'mio')
  expect((await byPassword.submit('/settings', {}, '/sign_out')).location).toBe('/')
})
