import { afterAll, describe, expect, test } from 'bun:test'
import { createInstance, query } from '../../support/instance'
import { answerOf, authorizeUrl, callback, decide, pkce, registerClient } from '../../support/oauth'
import { createMember, createVisitor, type Page } from '../../support/visitor'

const kiroku = await createInstance()
afterAll(kiroku.close)
const client = await registerClient(kiroku)
const several = await registerClient(kiroku, {
  redirectUris: [callback, 'https://client.example/other', 'http://127.0.0.1/cb', 'com.example.app:/cb'],
})
const displayed = await registerClient(kiroku, { redirectUris: ['urn:ietf:wg:oauth:2.0:oob'] })
const mio = await createMember(kiroku, 'mio')

/** Expects an error page, without a redirect. */
function expectPage(page: Page, text: string): void {
  expect([page.status, page.headers.has('location')]).toEqual([400, false])
  expect(page.text).toContain(text)
  expect(page.text).not.toContain('iss=')
}

const whole = { client_id: client.uid, redirect_uri: callback, response_type: 'code' }
const open = (params: Readonly<Record<string, string>>, more = '') =>
  mio.open(`/oauth/authorize${query(params)}${more}`)

describe('the client', () => {
  test.each([
    ['missing', { ...whole, client_id: '' }, 'client_id'],
    ['unknown', { ...whole, client_id: 'nobody' }, 'client_id'],
    ['missing with all else', {}, 'client_id'],
  ])('AZ-02: a client_id that is %s is told on a page, for signed in and not', async (_, params, text) => {
    expectPage(await open(params), text)
    expectPage(await createVisitor(kiroku).open(`/oauth/authorize${query(params)}`), text)
  })

  test('AZ-03: redirect_uri is required even if only one is registered', async () => {
    const { redirect_uri, ...others } = whole
    expectPage(await open(others), 'redirect_uri')
    expectPage(await open({ ...others, redirect_uri: '' }), 'redirect_uri')
  })

  test.each([
    `${callback}/`,
    `${callback}?x=1`,
    `${callback}#x`,
    'https://client.example:443/callback',
    'https://client.example.evil.example/callback',
    'https://CLIENT.example/callback',
    'urn:ietf:wg:oauth:2.0:oob',
    'javascript:alert(1)',
  ])('AZ-04: to %p nobody is led, and nobody signs in for it (D57)', async (redirect_uri) => {
    expectPage(await open({ ...whole, redirect_uri }), 'redirect_uri')
    const stranger = createVisitor(kiroku)
    expectPage(await stranger.open(`/oauth/authorize${query({ ...whole, redirect_uri })}`), 'redirect_uri')
  })

  test('AZ-05: each of several redirect URIs is valid, and no other', async () => {
    const uris = [callback, 'https://client.example/other', 'com.example.app:/cb', 'http://127.0.0.1:5173/cb']
    expectPage(await mio.open(authorizeUrl({ ...several, redirectUri: `${callback}/other` })), 'redirect_uri')
    for (const redirectUri of uris) {
      const page = await decide(mio, { ...several, redirectUri })
      expect(page.location).toStartWith(`${redirectUri}?code=kir_ac_`)
    }
  })

  test('AZ-16: client_id or redirect_uri sent twice is a page', async () => {
    expectPage(await open(whole, `&client_id=${client.uid}`), 'client_id')
    expectPage(await open(whole, `&redirect_uri=${encodeURIComponent(callback)}`), 'redirect_uri')
  })

  test.each(['%zz', 'state=%FF', 'a=%00'])('a query of %p is a page and no fault', async (query) => {
    const page = await mio.open(`/oauth/authorize?${query}`)
    expect([page.status, page.location]).toEqual([400, ''])
  })
})

describe('a visitor', () => {
  test('AZ-01: signs in and returns to the same request, including state and PKCE', async () => {
    const target = authorizeUrl(client, { ...pkce, state: 'a b+c&記録', scope: 'read write' })
    const stranger = createVisitor(kiroku)
    const page = await stranger.open(target)
    const [path, params] = page.location.split('?return_to=')
    expect([page.status, path, decodeURIComponent(params ?? '')]).toEqual([303, '/sign_in', target])
    const form = await stranger.open(page.location)
    expect(form.text).toContain(`name="return_to" value="${target.replaceAll('&', '&#38;')}"`)
  })

  test('D57: learns of nothing but a bad client before that', async () => {
    const page = await createVisitor(kiroku).open(authorizeUrl(client, { scope: 'nonsense' }))
    expect(page.location).toStartWith('/sign_in?return_to=')
  })
})

describe('out of band', () => {
  test('AZ-08: the code is shown on a page that must not be cached, and is in no URL', async () => {
    const page = await decide(mio, displayed, { params: { state: 'x' } })
    expect([page.status, page.headers.has('location')]).toEqual([200, false])
    expect(page.textOf('authorization_code')).toMatch(/^kir_ac_[0-9A-Za-z]{49}$/)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.text).not.toContain('iss=')
    const links = [...page.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link]) => link)
    expect(links.join(' ')).not.toContain('kir_ac_')
  })

  test.each([
    [{ scope: 'nonsense' }, 'invalid_scope'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: 'x' }, 'invalid_request'],
  ])('AZ-09: %p is told on a page', async (params, error) => {
    expectPage(await mio.open(authorizeUrl(displayed, params)), error)
  })

  test('AZ-09, AZ-25: a refusal is shown on a page', async () => {
    expectPage(await decide(mio, displayed, { decision: 'deny' }), 'access_denied')
  })
})

describe('the consent page', () => {
  test('AZ-24: says who requests what, where it leads and for how long', async () => {
    const named = await registerClient(kiroku, { name: '<b>"Diary" & \'Co\'</b>' })
    const { text, status } = await mio.open(authorizeUrl(named, { scope: 'write read' }))
    expect(status).toBe(200)
    expect(text).not.toContain('<b>')
    for (const said of [
      '<bdi>&#60;b&#62;&#34;Diary&#34; &#38; &#39;Co&#39;&#60;/b&#62;</bdi>',
      'Registered by: azusa',
      '<code>client.example</code>',
      'Signed in as mio.',
      'See your profile',
      'Create, change and delete',
      'does not expire',
    ])
      expect(text).toContain(said)
  })

  test('AZ-24: names only the requested scope, in the language of the page', async () => {
    const japanese = await createMember(kiroku, 'mio', { language: 'ja' })
    const { text } = await japanese.open(authorizeUrl(client))
    expect(text).toContain('通知を見る')
    expect(text).not.toContain('作成・変更・削除')
  })

  test('AZ-24: is shown again to users who consented before', async () => {
    await decide(mio, client)
    expect((await mio.open(authorizeUrl(client))).text).toContain('value="approve"')
  })

  test.each([
    [callback, ' https://client.example https:'],
    ['http://127.0.0.1:5173/cb', ' http://127.0.0.1:5173 https:'],
    ['http://[::1]:5173/cb', ' http: https:'],
    ['com.example.app:/cb', ' com.example.app:'],
    ['urn:ietf:wg:oauth:2.0:oob', ''],
  ])('§2.4: lets its form lead to %p', async (redirectUri, target) => {
    const one = await registerClient(kiroku, { redirectUris: [redirectUri] })
    const page = await mio.open(authorizeUrl(one))
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self'${target};`)
  })

  test('AZ-22: can never be framed, nor can the pages of errors and of the code', async () => {
    for (const page of [
      await mio.open(authorizeUrl(client)),
      await open({}),
      await decide(mio, displayed),
      await createVisitor(kiroku).open('/sign_in'),
    ]) {
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(page.headers.get('x-frame-options')).toBe('DENY')
    }
  })
})

test('AZ-14: a registered query is kept, except for names that we use', async () => {
  const redirectUri = 'https://client.example/cb?app=1&code=old&x=%2f?&state&iss=evil&%63ode=older'
  const one = await registerClient(kiroku, { redirectUris: [redirectUri], sendsIss: true })
  const page = await decide(mio, one, { params: { state: 'mine' } })
  expect(page.location).toStartWith('https://client.example/cb?app=1&x=%2f?&code=kir_ac_')
  expect(page.location.match(/code=/g)).toHaveLength(1)
  expect(answerOf(page)).toMatchObject({ app: '1', state: 'mine', iss: 'http://localhost:3000' })
  const silent = await registerClient(kiroku, { redirectUris: [`${callback}?iss=mine`] })
  expect(answerOf(await decide(mio, silent)).iss).toBe('mine')
})
