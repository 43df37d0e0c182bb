import { describe, expect, test } from 'bun:test'
import { attemptSecrets, authorizationUrl, redeem } from '../../../src/accounts/provider/protocol'
import { providerAt } from '../../support/identity-provider'
import {
  depsNow,
  exchange,
  leave,
  random,
  redirectUri,
  refusal,
  signIn,
  useProviders,
} from '../../support/provider-exchange'

useProviders()

describe('the authorization request (sign-in.md §4)', () => {
  test('has PKCE, and a state and a nonce of 256 bits that differ each time', async () => {
    const [one, two] = [attemptSecrets(random), attemptSecrets(random)]
    for (const text of Object.values(one)) expect(text).toMatch(/^[\w-]{43}$/)
    expect(new Set([...Object.values(one), ...Object.values(two)]).size).toBe(6)
    const url = new URL(
      await authorizationUrl(depsNow(), providerAt(exchange.home), one, { redirectUri, asksAgain: false }),
    )
    expect(`${url.origin}${url.pathname}`).toBe(`${exchange.home.issuer}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{
        response_type: 'code',
        client_id: 'kiroku',
        scope: 'openid profile email',
        redirect_uri: redirectUri,
      },
      ...{ state: one.state, nonce: one.nonce, code_challenge_method: 'S256' },
      code_challenge: new Bun.CryptoHasher('sha256').update(one.verifier).digest('base64url'),
    })
    expect(redirectUri).toBe('http://localhost:3000/log/sign_in/with/home/back')
  })

  test.each([
    [{ groups: ['a'] }, {}, 'openid profile email groups'],
    [{ adminGroups: ['a'] }, {}, 'openid profile email groups'],
    [{ groups: ['a'] }, { scopes_supported: ['openid'] }, 'openid profile email'],
    [{ scopes: ['openid', 'roles'], groups: ['a'] }, {}, 'openid roles'],
  ])('asks for groups where they are used and offered: %j', async (more, says, scope) => {
    exchange.home.faults.metadata = (metadata) => ({ ...metadata, ...says })
    const url = await authorizationUrl(depsNow(), providerAt(exchange.home, more), attemptSecrets(random), {
      ...{ redirectUri, asksAgain: true },
    })
    const { searchParams } = new URL(url)
    expect(['scope', 'prompt', 'max_age'].map((name) => searchParams.get(name))).toEqual([
      scope,
      'login',
      '0',
    ])
  })

  test('keeps a query of the endpoint', async () => {
    exchange.home.faults.metadata = (metadata) => ({
      ...metadata,
      authorization_endpoint: `${exchange.home.issuer}/a?realm=x`,
    })
    const url = await authorizationUrl(depsNow(), providerAt(exchange.home), attemptSecrets(random), {
      ...{ redirectUri, asksAgain: false },
    })
    expect(url).toStartWith(`${exchange.home.issuer}/a?realm=x&response_type=code&`)
  })
})

describe('an answer', () => {
  test('tells who the person is, with the claims of ID token and userinfo, and when they proved it', async () => {
    exchange.home.person = { sub: 'sub-9', email: 'mio@example.com', email_verified: true }
    exchange.home.faults.userinfo = (said) => ({ ...said, groups: ['anime'], iss: 'https://other.example' })
    const { subject, provedAt, all } = await signIn(providerAt(exchange.home))
    expect([subject, provedAt]).toEqual(['sub-9', Math.floor(exchange.clock / 1000) * 1000])
    expect(all.map(({ email, groups }) => [email, groups])).toEqual([
      ['mio@example.com', undefined],
      ['mio@example.com', ['anime']],
    ])
    expect(exchange.home.asked).toEqual(['/.well-known/openid-configuration', '/token', '/keys', '/userinfo'])
  })

  test('is redeemed by Basic, by post if only that is offered, or without a secret', async () => {
    const sent: (string | null)[] = []
    const respond = async (path: string, request: Request) => {
      if (path === '/token')
        sent.push(
          request.headers.get('authorization'),
          new URLSearchParams(await request.clone().text()).get('client_secret'),
        )
      return undefined
    }
    exchange.home.faults.respond = respond
    await signIn(providerAt(exchange.home))
    exchange.home.faults.metadata = (all) => ({
      ...all,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    })
    await signIn(providerAt(exchange.home))
    await signIn(providerAt(exchange.home, { clientSecret: undefined }))
    expect(sent).toEqual([`Basic ${btoa('kiroku:hush')}`, null, null, 'hush', null, null])
  })

  test('needs no userinfo where there is none, and no iss where none is announced', async () => {
    exchange.home.faults.metadata = ({
      userinfo_endpoint: _,
      authorization_response_iss_parameter_supported: __,
      ...all
    }) => all
    const { all } = await signIn(providerAt(exchange.home), { change: (answer) => answer.delete('iss') })
    expect([all.length, exchange.home.asked.includes('/userinfo')]).toEqual([1, false])
  })

  test.each([59_000, -59_000])('may come from a clock that is %d ms off', async (off) => {
    const [iat, exp] = [
      Math.floor((exchange.clock + off) / 1000),
      Math.floor((exchange.clock + off + 30_000) / 1000),
    ]
    exchange.home.faults.claims = (claims) => ({ ...claims, iat, exp })
    expect((await signIn(providerAt(exchange.home))).subject).toBe('sub-1')
  })

  test.each([
    ['another state', (answer: URLSearchParams) => answer.set('state', 'x')],
    ['no state', (answer: URLSearchParams) => answer.delete('state')],
    ['two states', (answer: URLSearchParams) => answer.append('state', 'x')],
    ['no iss although it is announced', (answer: URLSearchParams) => answer.delete('iss')],
    [
      'the iss of another provider (mix-up)',
      (answer: URLSearchParams) => answer.set('iss', exchange.other.issuer),
    ],
    ['no code', (answer: URLSearchParams) => answer.delete('code')],
    ['two codes', (answer: URLSearchParams) => answer.append('code', 'x')],
    ['the code of nobody', (answer: URLSearchParams) => answer.set('code', 'code-0')],
    ['an unknown error', (answer: URLSearchParams) => answer.set('error', 'server_error')],
    ['a token of the implicit flow', (answer: URLSearchParams) => answer.set('id_token', 'a.b.c')],
    ['a signed answer', (answer: URLSearchParams) => answer.set('response', 'a.b.c')],
  ])('is refused with %s', async (_, change) => {
    expect((await refusal(signIn(providerAt(exchange.home), { change }))).problem).toBe('answer')
    if (_ !== 'the code of nobody') expect(exchange.home.asked).not.toContain('/token')
  })

  test('is refused with a code of another attempt: it has another verifier (injected code)', async () => {
    const injected = (await leave(providerAt(exchange.home))).answer.get('code') ?? ''
    const change = (answer: URLSearchParams) => answer.set('code', injected)
    expect((await refusal(signIn(providerAt(exchange.home), { change }))).why).toContain('invalid_grant')
  })

  test('is refused if it comes a second time', async () => {
    const provider = providerAt(exchange.home)
    const { secrets, answer } = await leave(provider)
    await redeem(depsNow(), provider, answer, { secrets, redirectUri })
    expect((await refusal(redeem(depsNow(), provider, answer, { secrets, redirectUri }))).problem).toBe(
      'answer',
    )
  })

  test('of somebody who cancelled says so, and errors of strangers are not repeated', async () => {
    const cancelled = (answer: URLSearchParams) => answer.set('error', 'access_denied')
    expect((await refusal(signIn(providerAt(exchange.home), { change: cancelled }))).problem).toBe('denied')
    const strange = (answer: URLSearchParams) => answer.set('error', '<script>secret</script>')
    expect((await refusal(signIn(providerAt(exchange.home), { change: strange }))).why).toBe(
      'it answered an error',
    )
  })
})
