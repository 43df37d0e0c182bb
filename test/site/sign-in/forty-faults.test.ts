import { expect, test } from 'bun:test'
import {
  answered,
  atClock,
  claimed,
  comeBack,
  confirmed,
  connected,
  discovered,
  home,
  html,
  injected,
  inSeconds,
  kiroku,
  late,
  mio,
  mixedUp,
  redirect,
  replayed,
  said,
  sentBack,
  someone,
  unsigned,
  useFaultyProvider,
  visit,
  withdrawn,
} from '../../support/faulty-provider'
import { on } from '../../support/provider-exchange'
import { problemOf } from '../../support/provider-visits'
import { createVisitor, type Page, type Visitor } from '../../support/visitor'

useFaultyProvider()

type Fault = readonly [
  name: string,
  problem: string,
  status: number,
  act: (visitor: Visitor) => Promise<Page>,
]

const faults: readonly Fault[] = [
  // The signature and the token.
  ['a wrong signature', 'answer', 400, said({ idToken: (text) => `${unsigned(text)}${'A'.repeat(86)}` })],
  [
    'no signature at all',
    'answer',
    400,
    said({ header: (all) => ({ ...all, alg: 'none' }), idToken: unsigned }),
  ],
  [
    'a signature with the client’s secret',
    'answer',
    400,
    said({ header: (all) => ({ ...all, alg: 'HS256' }) }),
  ],
  [
    'a key that the provider does not publish',
    'answer',
    400,
    said({ header: (all) => ({ ...all, kid: 'x' }) }),
  ],
  ['a key that was withdrawn an hour ago', 'answer', 400, withdrawn],
  ['no ID token', 'answer', 400, said({ token: ({ id_token: _, ...all }) => all })],
  ['the token of another client', 'answer', 400, claimed({ aud: 'other' })],
  ['a token that was issued to another', 'answer', 400, claimed({ azp: 'x' })],
  ['the token of another issuer', 'answer', 400, claimed({ iss: 'https://other.example' })],
  ['no subject', 'answer', 400, claimed({ sub: '' })],
  ['userinfo of somebody else', 'answer', 400, said({ userinfo: (all) => ({ ...all, sub: 'sub-x' }) })],
  // Times.
  ['a clock an hour ahead', 'answer', 400, atClock(3_600_000)],
  ['a clock an hour behind', 'answer', 400, atClock(-3_600_000)],
  ['a clock two minutes ahead', 'answer', 400, atClock(120_000)],
  ['a token that begins later', 'answer', 400, (visitor) => claimed({ nbf: inSeconds(120_000) })(visitor)],
  ['a token that has ended', 'answer', 400, (visitor) => claimed({ exp: inSeconds(-61_000) })(visitor)],
  // State, nonce and code: of another browser, another attempt, another provider.
  ['no nonce', 'answer', 400, said({ claims: ({ nonce: _, ...all }) => all })],
  ['the nonce of another attempt', 'answer', 400, claimed({ nonce: 'x' })],
  ['no state', 'attempt', 400, answered((params) => params.delete('state'))],
  ['a state that nobody has', 'attempt', 400, answered((params) => params.set('state', 'x'))],
  ['two states', 'attempt', 400, answered((params) => params.append('state', 'x'))],
  [
    'the answer for another browser',
    'attempt',
    400,
    async (visitor) => comeBack(visitor, await sentBack(createVisitor(kiroku))),
  ],
  ['the answer a second time', 'attempt', 400, replayed],
  ['the answer after ten minutes', 'attempt', 400, late],
  ['the code of another attempt', 'answer', 400, injected],
  ['no code', 'answer', 400, answered((params) => params.delete('code'))],
  ['no iss although it is announced', 'answer', 400, answered((params) => params.delete('iss'))],
  [
    'the iss of another provider (mix-up)',
    'answer',
    400,
    answered((params) => params.set('iss', 'https://other.example')),
  ],
  ['the answer at the address of another provider (mix-up)', 'attempt', 400, mixedUp],
  [
    'an error that the protocol does not know',
    'answer',
    400,
    answered((params) => params.set('error', '<b>')),
  ],
  ['whoever cancels there', 'denied', 403, answered((params) => params.set('error', 'access_denied'))],
  // What the server is told to contact.
  [
    'discovery that names a neighbour (SSRF)',
    'unreachable',
    503,
    discovered('neighbour', { token_endpoint: 'http://127.0.0.1:9/token' }),
  ],
  [
    'discovery of another issuer',
    'unreachable',
    503,
    discovered('namesake', { issuer: 'https://other.example' }),
  ],
  [
    'discovery that answers with a page',
    'unreachable',
    503,
    async (visitor) => {
      home.faults = { respond: on('/.well-known/openid-configuration', html) }
      return await visitor.open('/sign_in/with/page')
    },
  ],
  [
    'discovery that redirects to a neighbour (SSRF)',
    'unreachable',
    503,
    async (visitor) => {
      home.faults = { respond: on('/.well-known/openid-configuration', redirect) }
      return await visitor.open('/sign_in/with/moved')
    },
  ],
  ['a token endpoint that redirects', 'answer', 400, said({ respond: on('/token', redirect) })],
  [
    'a token endpoint that is down',
    'unreachable',
    503,
    said({ respond: on('/token', () => new Response('', { status: 502 })) }),
  ],
  ['a token endpoint that answers with a page', 'answer', 400, said({ respond: on('/token', html) })],
  // Who may come in.
  ['somebody unknown', 'unknown', 403, someone({})],
  ['somebody of the name of an account', 'unknown', 403, someone({ preferred_username: 'mio' })],
  [
    'somebody with an address that the provider has not verified',
    'unknown',
    403,
    someone({ email: 'azusa@example.com', email_verified: 'true' }, 'by-email'),
  ],
  ['somebody of another group', 'group', 403, someone({ groups: ['Anime', 'manga'] }, 'club')],
  ['a member of whom the provider tells no groups', 'group', 403, (visitor) => visit(visitor, 'club')],
  // Whoever is signed in.
  ['the confirmation of somebody else', 'other', 403, confirmed({ sub: 'sub-stranger' })],
  ['the confirmation of an earlier sign-in there', 'stale', 400, confirmed({ auth_time: 1 })],
  ['somebody who is another’s already', 'taken', 409, connected],
]

test('D100–D105: whoever comes without a fault comes in, also by a clock that is 50 s off, and with a new key', async () => {
  for (const off of [0, 50_000, -50_000])
    expect((await atClock(off)(createVisitor(kiroku))).location).toBe('/')
  kiroku.clock.now += 11_000
  await home.rotate()
  expect((await visit(createVisitor(kiroku))).location).toBe('/')
})

test.each(faults)(
  'D102: %s is refused (%s), with a page that says what to do and nothing about others',
  async (_, problem, status, act) => {
    const visitor = createVisitor(kiroku)
    const page = await act(visitor)
    expect([page.status, problemOf(page)]).toEqual([status, problem])
    const isMember = ['other', 'stale', 'taken'].includes(problem)
    expect((await visitor.open('/settings')).status).toBe(isMember ? 200 : 303)
    expect(page.text).toContain(isMember ? 'href="/settings/providers"' : 'href="/sign_in?stay=1"')
    expect(page.text).toMatch(/<h1>[^<]{5,}<\/h1>\s*<p>[^<]{20,}<\/p>/)
    expect(page.text).not.toMatch(
      /sub-|mio_at_home|@example|other\.example|127\.0\.0\.1:9|<b><|nonce|token|undefined/,
    )
    const refusals = kiroku.lines.filter(({ event }) => event === 'provider_refused')
    expect(refusals.at(-1)?.facts).toMatchObject({ problem, why: expect.stringMatching(/\w/) })
    expect(JSON.stringify(kiroku.lines)).not.toMatch(/code-\d|token-\d|sub-mio|sub-stranger|[?&]state=(?!\*)/)
    const people = kiroku.deps.read.selectFrom('identities').select('subject')
    expect(await people.execute()).toEqual([{ subject: mio.sub }])
  },
)

test('these are more than forty', () => expect(faults.length).toBeGreaterThanOrEqual(40))
