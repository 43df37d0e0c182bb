import { afterAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance } from '../support/instance'
import { answerOf, authorizeUrl, decide, errorOf, postAs, registerClient } from '../support/oauth'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const below = await createInstance({ config: { baseUrl: 'https://example.org/log/book' } })
afterAll(kiroku.close)
afterAll(below.close)

const wellKnown = '/.well-known/oauth-authorization-server'
const read = async (instance: typeof kiroku, target = wellKnown, headers = {}) => {
  const response = await instance.ask(target, { headers })
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}

describe('the metadata (D48)', () => {
  test('MD-02: is at no other path', async () => {
    for (const target of [`${wellKnown}/log`, `${wellKnown}/log/bookish`, '/.well-known/other/log/book']) {
      expect((await below.ask(target)).status).toBe(404)
    }
    expect((await kiroku.ask(`${wellKnown}/log/book`)).status).toBe(404)
  })

  test('MD-01: names the issuer and its endpoints by the base URL, whatever Host says', async () => {
    const { issuer, ...others } = await read(below, wellKnown, { host: 'evil.example' })
    expect(issuer).toBe('https://example.org/log/book')
    const links = Object.entries(others).filter(([name]) => name.endsWith('_endpoint'))
    expect(links.length).toBeGreaterThan(3)
    for (const [, link] of links) expect(link).toStartWith('https://example.org/log/book/oauth/')
  })

  test('MD-02: is at the path that RFC 8414 derives from an issuer with a path', async () => {
    const plain = await read(below)
    for (const target of [`${wellKnown}/log/book`, `/log/book${wellKnown}`]) {
      expect(await read(below, target)).toEqual(plain)
    }
  })

  test('MD-03: advertises what works, and nothing else', async () => {
    expect(await read(kiroku)).toMatchObject({
      issuer: 'http://localhost:3000',
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: expect.arrayContaining(['authorization_code']),
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['read', 'write'],
      authorization_response_iss_parameter_supported: false,
    })
  })

  test('MD-03: every grant it advertises is known to the token endpoint', async () => {
    for (const grant_type of (await read(kiroku)).grant_types_supported) {
      expect(await errorOf(await postAs(kiroku, '/oauth/token', { grant_type }))).toBe('401 invalid_client')
    }
  })

  test('MD-04: every URL it advertises answers', async () => {
    for (const [name, link] of Object.entries(await read(kiroku))) {
      if (typeof link !== 'string' || name === 'issuer') continue
      const target = link.slice('http://localhost:3000'.length)
      expect([target, (await kiroku.ask(target)).status]).not.toEqual([target, 404])
      const method = /^(authorization_endpoint|service_documentation)$/.test(name) ? 'GET' : 'POST'
      expect((await kiroku.ask(target, { method })).status).toBeOneOf([200, 400, 401])
    }
  })

  test('MD-04: may be read by pages of any origin, and cached', async () => {
    for (const target of [wellKnown, `${wellKnown}/log/book`]) {
      const { headers } = await below.ask(target)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('cache-control')).toBe('public, max-age=3600')
    }
  })
})

test('AZ-15: the issuer is sent only to an application that asks for it, and equals that of the metadata, byte for byte (D111)', async () => {
  const { issuer } = await read(kiroku)
  const visitor = await createMember(kiroku, 'mio')
  for (const sendsIss of [false, true]) {
    const one = await registerClient(kiroku, { sendsIss })
    const denied = await decide(visitor, one, { decision: 'deny' })
    const refused = await visitor.open(authorizeUrl(one, { scope: 'x' }))
    for (const page of [refused, denied, await decide(visitor, one)])
      expect([page.location, answerOf(page).iss]).toEqual([page.location, sendsIss ? issuer : undefined])
  }
  const mio = await createMember(below, 'mio')
  const client = await registerClient(below, { sendsIss: true })
  const led = await mio.open(authorizeUrl(client, { scope: 'x' }))
  expect(answerOf(led)).toMatchObject({ error: 'invalid_scope', iss: (await read(below)).issuer })
  const page = await mio.open(authorizeUrl(client))
  expect(page.text).toContain('action="/log/book/oauth/authorize"')
})
