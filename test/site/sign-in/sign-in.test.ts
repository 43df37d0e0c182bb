import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createUser } from '../../../src/accounts/account/user'
import { createInstance, type Instance } from '../../support/instance'
import { createVisitor, hiddenInputs, sameOrigin } from '../../support/visitor'

let kiroku: Instance
const password = 'correct horse battery'

beforeAll(async () => {
  kiroku = await createInstance()
  await createUser(kiroku.deps, { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false })
})
afterAll(() => kiroku.close())

describe('signing in', () => {
  test('a wrong password, an unknown name and an unknown e-mail address get the same response (§2.1)', async () => {
    const pages = []
    for (const name of ['nodoka', 'nobody', 'nobody@example.com']) {
      const visitor = createVisitor(kiroku)
      const page = await visitor.signIn(name, 'wrong password')
      const own = /value="[\w-]{86}"|challenge&#34;:&#34;[\w-]{75}/g
      const text = page.text.replaceAll(name, 'NAME').replaceAll(own, 'OWN')
      pages.push({ status: page.status, text, cookies: [...visitor.cookies.keys()] })
    }
    expect(pages[0]?.status).toBe(422)
    expect(pages[0]?.text).toContain('Incorrect username or password.')
    expect(pages[1]).toEqual(pages[0] as never)
    expect(pages[2]).toEqual(pages[0] as never)
  })

  test.each(['nodoka', 'NODOKA', 'Nodoka@Example.com'])(
    'somebody signs in as %s and out again',
    async (name) => {
      const visitor = createVisitor(kiroku)
      const page = await visitor.signIn(name, password)
      expect([page.status, page.location]).toEqual([303, '/'])
      const home = await visitor.open('/')
      expect(home.text).toContain('>nodoka</a>')
      expect(home.text).toContain('<a href="/settings">Settings</a>')
      const out = await visitor.post('/sign_out', hiddenInputs(home.text, '/sign_out'))
      expect([out.status, out.location]).toEqual([303, '/'])
      expect((await visitor.open('/')).text).not.toContain('>nodoka</a>')
    },
  )

  test('every sign-in rotates the session, and its old value is worthless (§2.2)', async () => {
    const visitor = createVisitor(kiroku)
    await visitor.open('/sign_in')
    const before = visitor.cookies.get('sid_3000') ?? ''
    await visitor.signIn('nodoka', password)
    const first = visitor.cookies.get('sid_3000') ?? ''
    await visitor.signIn('nodoka', password)
    const second = visitor.cookies.get('sid_3000') ?? ''
    expect(new Set([before, first, second]).size).toBe(3)
    for (const old of [before, first]) {
      visitor.cookies.set('sid_3000', old)
      expect((await visitor.open('/')).text).not.toContain('>nodoka</a>')
    }
  })

  test.each([
    ['/settings?tab=1', '/settings?tab=1'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/..//evil.example', '/'],
    ['https://evil.example', '/'],
    ['/\t/evil.example', '/'],
  ])('after signing in, return_to %p leads to %p (§2.5)', async (asked, reached) => {
    const visitor = createVisitor(kiroku)
    const target = `/sign_in?return_to=${encodeURIComponent(asked)}`
    const page = await visitor.submit(target, { username: 'nodoka', password })
    expect(page.location).toBe(reached)
  })
})

describe('the CSRF token (§2.3)', () => {
  const refused: readonly [string, Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['another origin, in an old browser', { origin: 'http://localhost:3001' }],
    ['another scheme, in an old browser', { origin: 'https://localhost:3000' }],
  ]
  test.each(refused)('a form from %s is refused whatever else it contains', async (_, headers) => {
    const visitor = createVisitor(kiroku)
    const { csrf = '' } = hiddenInputs((await visitor.open('/sign_in')).text, '/sign_in')
    const page = await visitor.post('/sign_in', { username: 'nodoka', password, csrf }, headers)
    expect(page.status).toBe(403)
    expect(page.headers.getSetCookie()).toEqual([])
  })

  test.each([{}, { origin: 'null' }, sameOrigin])(
    'without its token a form is refused, from %p',
    async (headers) => {
      const visitor = createVisitor(kiroku)
      await visitor.open('/sign_in')
      const page = await visitor.post(
        '/sign_in',
        { username: 'nodoka', password, csrf: 'x'.repeat(43) },
        headers,
      )
      expect(page.status).toBe(403)
    },
  )

  test("another browser's token is refused", async () => {
    const [mine, theirs] = [createVisitor(kiroku), createVisitor(kiroku)]
    await mine.open('/sign_in')
    const { csrf = '' } = hiddenInputs((await theirs.open('/sign_in')).text, '/sign_in')
    expect((await mine.post('/sign_in', { username: 'nodoka', password, csrf })).status).toBe(403)
  })

  test.each(['text/plain', 'application/json'])('a body of %s is refused', async (type) => {
    const visitor = createVisitor(kiroku)
    const headers = { ...sameOrigin, 'content-type': type }
    const page = await visitor.open('/sign_in', { method: 'POST', body: '{}', headers })
    expect(page.status).toBe(400)
  })
})
