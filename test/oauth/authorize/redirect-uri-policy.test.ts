import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { redirectUriProblem } from '../../../src/oauth/authorize/redirect-uri'
import { createInstance } from '../../support/instance'
import { authorizeUrl, type Client, consentInputs, registerClient } from '../../support/oauth'
import { createMember, type Visitor } from '../../support/visitor'

const kiroku = await createInstance()
const { deps } = kiroku
afterAll(kiroku.close)

let client: Client
let mio: Visitor
beforeAll(async () => {
  client = await registerClient(kiroku)
  mio = await createMember(kiroku, 'mio')
})

/** Stores a redirect URI as registered, whatever the rules are. */
async function registered(uri: string): Promise<Client> {
  const change = { redirect_uris: uri }
  await deps.write((tx) => tx.updateTable('applications').set(change).where('id', '=', client.id).execute())
  return { ...client, redirectUri: uri }
}

/** The policy of the consent page for an application with this redirect URI. */
async function consentFor(uri: string) {
  const page = await mio.open(authorizeUrl(await registered(uri)))
  const policy = page.headers.get('content-security-policy') ?? ''
  const directives = policy.split(';').map((directive) => directive.trim().split(' '))
  return { page, directives: new Map(directives.map(([name = '', ...sources]) => [name, sources])) }
}

const usual = [
  ...['default-src', 'script-src', 'connect-src', 'style-src', 'img-src', 'manifest-src', 'worker-src'],
  ...['form-action', 'base-uri', 'frame-ancestors'],
]

/** A scheme, or an origin as in a policy: nothing in it ends the source, the directive or the header. */
const source = /^(?:[a-z][a-z0-9+.-]*:|https?:\/\/[a-z0-9.-]+(?::[0-9]{1,5})?)$/

const odd = [
  'https://a;frame-ancestors/cb',
  "https://a;script-src/cb?'self'",
  'https://a,script-src/cb',
  "https://'unsafe-inline'/cb",
  'https://a.example;/cb',
  'https://a_b.example/cb',
  'https://a.example:443;x/cb',
  'https://a%3bframe-ancestors/cb',
  'https://(a)/cb',
  'https://a=b/cb',
  'https://a!b/cb',
  'https://a~b/cb',
  'https://a$b&c+d/cb',
  'http://127.0.0.1;frame-ancestors/cb',
  'http://[::1];frame-ancestors/cb',
]

describe('a host consists of letters, digits, dots and hyphens, or is an IP address', () => {
  test.each(odd)('AZ-07: %s is not registered', (uri) => {
    for (const baseUrl of ['https://kiroku.example', 'http://localhost:3000'])
      expect(redirectUriProblem(uri, baseUrl)).toBeDefined()
  })

  test.each(odd)(
    'AZ-07: %s, registered before, is refused by a page that does not contain it',
    async (uri) => {
      const { page, directives } = await consentFor(uri)
      expect(page.status).toBe(400)
      expect(page.text).toContain('redirect_uri')
      expect(page.text).not.toContain('name="decision"')
      expect([...directives.keys()]).toEqual(usual)
      expect(directives.get('form-action')).toEqual(["'self'"])
    },
  )

  test('the owner of such an application is told which ones to change', async () => {
    await registered('https://client.example/cb\nhttps://a;frame-ancestors/cb')
    const azusa = await createMember(kiroku, 'azusa')
    const { text } = await azusa.open(`/oauth/applications/${client.id}`)
    const notices = [...text.matchAll(/<p class="notice">([\s\S]*?)<\/p>/g)].map(([, notice = '']) => notice)
    expect(notices).toHaveLength(1)
    expect(notices[0]).toContain('<code>https://a;frame-ancestors/cb</code>')
    expect(notices[0]).not.toContain('client.example')
  })

  test('AZ-21: and it is refused even after consent was requested', async () => {
    const page = await mio.open(authorizeUrl(await registered('https://client.example/cb')))
    const inputs = consentInputs(page)
    const change = { redirect_uri: 'https://a;frame-ancestors/cb' }
    await registered(change.redirect_uri)
    await deps.write((tx) => tx.updateTable('consent_requests').set(change).execute())
    const answer = await mio.post('/oauth/authorize', { ...inputs, decision: 'approve' })
    expect([answer.status, answer.location]).toEqual([400, ''])
  })

  test.each([
    ['https://client.example/cb', "'self' https://client.example https:"],
    ['https://Client-1.example:8443/cb?x=;,', "'self' https://client-1.example:8443 https:"],
    ['http://127.0.0.1/cb', "'self' http://127.0.0.1 https:"],
    ['http://[::1]:8080/cb', "'self' http: https:"],
    ['https://[2001:db8::1]/cb', "'self' https: https:"],
    ['com.example.app://oauth_callback', "'self' com.example.app:"],
  ])('%s goes into form-action as it should', async (uri, sources) => {
    const { page, directives } = await consentFor(uri)
    expect([page.status, directives.get('form-action')?.join(' ')]).toEqual([200, sources])
  })
})

const piece = fc.constantFrom(
  ...[
    'a',
    'Z9',
    'client.example',
    '127.0.0.1',
    '[::1]',
    'localhost',
    ':8443',
    ':',
    '.',
    '-',
    '_',
    '~',
    '%3b',
    '%2C',
  ],
  ...[
    ';',
    ',',
    "'",
    '!',
    '$',
    '&',
    '(',
    ')',
    '+',
    '=',
    '@',
    '/',
    '?',
    'frame-ancestors',
    'script-src',
    "'self'",
  ],
)
const anyUri = fc
  .tuple(
    fc.constantFrom(
      'https://',
      'http://',
      'https:/',
      'com.example.app://',
      'com.example.app:/',
      'a.b;c://',
      'a.b+c:',
    ),
    fc.array(piece, { minLength: 1, maxLength: 6 }),
    fc.constantFrom('', '/cb', '/cb?a=b;c', ':443/cb'),
  )
  .map(([scheme, pieces, end]) => scheme + pieces.join('') + end)

test('AZ-07: no accepted redirect URI adds a directive or an odd source to the policy', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(anyUri, async (uri) => {
      const isSound = redirectUriProblem(uri, 'http://localhost:3000') === undefined
      const { page, directives } = await consentFor(uri)
      expect([uri, page.status]).toEqual([uri, isSound ? 200 : 400])
      expect([...directives.keys()]).toEqual(usual)
      const [own, ...sources] = directives.get('form-action') ?? []
      expect(own).toBe("'self'")
      expect(sources.length).toBeLessThanOrEqual(isSound ? 2 : 0)
      for (const one of sources) expect(one).toMatch(source)
      if (isSound) accepted += 1
    }),
    { numRuns: 1000 },
  )
  // Otherwise the test would prove nothing.
  expect(accepted).toBeGreaterThan(50)
}, 120_000)
