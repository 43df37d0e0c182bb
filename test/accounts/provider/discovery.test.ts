import { describe, expect, test } from 'bun:test'
import { discover, readKeys } from '../../../src/accounts/provider/discovery'
import { signOutUrl } from '../../../src/accounts/provider/protocol'
import { createIdentityProvider, type Faults, providerAt } from '../../support/identity-provider'
import { depsNow, exchange, on, refusal, signIn, useProviders } from '../../support/provider-exchange'
import { createOutside } from '../../support/web-site'

useProviders()

describe('keys', () => {
  test('are kept for an hour, and read again at once for an unknown one, at most every 10 s (Core §10.1.1)', async () => {
    const provider = providerAt(exchange.home)
    const reads = () => exchange.home.asked.filter((path) => path === '/keys').length
    await signIn(provider)
    await signIn(provider)
    expect(reads()).toBe(1)
    exchange.clock += 11_000
    await exchange.home.rotate()
    await signIn(provider)
    expect(reads()).toBe(2)
    await exchange.home.rotate()
    expect((await refusal(signIn(provider))).problem).toBe('answer')
    expect(reads()).toBe(2)
    exchange.clock += 10_000
    await signIn(provider)
    expect(reads()).toBe(3)
    exchange.clock += 3_600_000
    await signIn(provider)
    expect([reads(), exchange.home.asked.filter((path) => path.endsWith('configuration')).length]).toEqual([
      4, 2,
    ])
  })

  test('are read once for all who ask at the same time', async () => {
    const provider = providerAt(exchange.home)
    await Promise.all(Array.from({ length: 20 }, () => readKeys(depsNow(), provider, { isUnknown: false })))
    expect(exchange.home.asked).toEqual(['/.well-known/openid-configuration', '/keys'])
  })
})

describe('discovery', () => {
  const named = (name: string, url: () => unknown): readonly [string, Faults] => [
    `${name} ${url.toString().slice(6)}`,
    { metadata: (all) => ({ ...all, [name]: url() }) },
  ]
  test.each([
    named('issuer', () => exchange.other.issuer),
    named('issuer', () => `${exchange.home.issuer}/`),
    named('token_endpoint', () => undefined),
    named('jwks_uri', () => 7),
    named('token_endpoint', () => `${exchange.other.issuer}/token`),
    named('jwks_uri', () => 'http://169.254.169.254/latest'),
    named('jwks_uri', () => 'https://127.0.0.1/keys'),
    named('userinfo_endpoint', () => 'file:///etc/passwd'),
    named('authorization_endpoint', () => 'javascript:alert(1)'),
    named('authorization_endpoint', () => 'http://example.com/authorize'),
    [
      'an error',
      { respond: on('/.well-known/openid-configuration', () => new Response('', { status: 404 })) },
    ],
    [
      'a failure',
      { respond: on('/.well-known/openid-configuration', () => new Response('', { status: 502 })) },
    ],
    ['HTML', { respond: on('/.well-known/openid-configuration', () => new Response('<p>')) }],
    [
      'a redirect',
      { respond: on('/.well-known/openid-configuration', () => Response.redirect(exchange.other.issuer)) },
    ],
    [
      'too much',
      { respond: on('/.well-known/openid-configuration', () => Response.json('x'.repeat(300_000))) },
    ],
  ] as const)('is refused if it says %s', async (_, faults) => {
    exchange.home.faults = faults
    exchange.other.asked.length = 0
    expect((await refusal(discover(depsNow(), providerAt(exchange.home)))).problem).toBe('unreachable')
    expect([exchange.other.asked, exchange.world.state.resolved]).toEqual([[], []])
  })

  test('names no private address beside the issuer, not even by a name (SSRF)', async () => {
    const inside = createOutside({ 'inside.test': ['10.0.0.1'] })
    exchange.home.faults.metadata = (all) => ({ ...all, jwks_uri: 'https://inside.test/keys' })
    const deps = { ...depsNow(), outside: inside.outside }
    const { problem, why } = await refusal(readKeys(deps, providerAt(exchange.home), { isUnknown: false }))
    expect([problem, why]).toEqual(['unreachable', 'inside.test: not a public address'])
    expect(inside.state.resolved).toEqual(['inside.test'])
  })

  test('that failed is asked again by the next', async () => {
    const provider = providerAt(exchange.home)
    exchange.home.faults.respond = on(
      '/.well-known/openid-configuration',
      () => new Response('', { status: 503 }),
    )
    expect((await refusal(discover(depsNow(), provider))).problem).toBe('unreachable')
    exchange.home.faults = {}
    expect((await discover(depsNow(), provider)).issuer).toBe(exchange.home.issuer)
  })

  test('of a provider that is down is unreachable', async () => {
    const gone = await createIdentityProvider()
    await gone.stop()
    expect((await refusal(discover(depsNow(), providerAt(gone)))).problem).toBe('unreachable')
  })

  test('tells where to sign out there', async () => {
    expect(await signOutUrl(depsNow(), providerAt(exchange.home), 'https://kiroku.example/log')).toBe(
      `${exchange.home.issuer}/sign_out?client_id=kiroku&post_logout_redirect_uri=https%3A%2F%2Fkiroku.example%2Flog%2F`,
    )
    exchange.home.faults.metadata = ({ end_session_endpoint: _, ...all }) => all
    expect(await signOutUrl(depsNow(), providerAt(exchange.home), 'https://kiroku.example')).toBeUndefined()
  })
})
