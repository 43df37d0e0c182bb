import { afterAll, describe, expect, test } from 'bun:test'
import { createInstance } from '../../support/instance'
import {
  answerOf,
  authorizeUrl,
  callback,
  decide,
  type Params,
  pkce,
  registerClient,
} from '../../support/oauth'
import { createMember, type Page } from '../../support/visitor'

const kiroku = await createInstance()
afterAll(kiroku.close)
const mio = await createMember(kiroku, 'mio')
const client = await registerClient(kiroku)
const reading = await registerClient(kiroku, { scope: 'read' })
const open = await registerClient(kiroku, { isConfidential: false })

/** The error that a client receives by redirect, after checking its format. */
function errorTo(page: Page, state?: string): string {
  expect([page.status, page.location.split('?')[0]]).toEqual([303, callback])
  const { error = '', error_description, ...others } = answerOf(page)
  expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(others).toEqual(state === undefined ? {} : { state })
  return error
}

const refused = async (params: Params, who = client) =>
  errorTo(await mio.open(authorizeUrl(who, { state: 's', ...params })), 's')

/** The scope that is finally granted. */
async function grantedScope(params: Params, who = client): Promise<string | undefined> {
  const page = await decide(mio, who, { params })
  expect(answerOf(page).code).toStartWith('kir_ac_')
  const codes = kiroku.deps.read.selectFrom('authorization_codes').select(['scope', 'code_challenge'])
  return (await codes.orderBy('id', 'desc').executeTakeFirst())?.scope
}

describe('response_type', () => {
  test('AZ-10: is required', async () => {
    expect(await refused({ response_type: '' })).toBe('invalid_request')
  })

  test.each(['token', 'id_token', 'code token', 'code id_token', 'CODE', ' code', 'none'])(
    'AZ-10: cannot be %p',
    async (response_type) => expect(await refused({ response_type })).toBe('unsupported_response_type'),
  )
})

describe('scope', () => {
  test.each([
    'admin',
    'read admin',
    'READ',
    'read  write',
    ' read',
    'read ',
    ' ',
    'read\twrite',
    'read\nwrite',
    'read,write',
    '"read"',
    'read\\',
    '記録',
  ])('AZ-11: cannot be %p', async (scope) => expect(await refused({ scope })).toBe('invalid_scope'))

  test.each(['write', 'read write', 'write read'])('AZ-12: %p is more than read', async (scope) => {
    expect(await refused({ scope }, reading)).toBe('invalid_scope')
  })

  test.each([
    ['', 'read'],
    ['read', 'read'],
    ['write', 'write'],
    ['read write', 'read write'],
    ['write read', 'read write'],
    ['read read', 'read'],
    ['write read write', 'read write'],
  ])('AZ-11: %p asks for %p', async (scope, granted) => expect(await grantedScope({ scope })).toBe(granted))

  test('AZ-12: an application that registered read gets it', async () => {
    expect(await grantedScope({ scope: 'read' }, reading)).toBe('read')
  })
})

describe('state', () => {
  const states: readonly (readonly [string, string])[] = [
    ...['x', 'a+b', 'a b', '%2B', '&code=evil#', '記録🎐', '\'"<>\\'].map((state) => [state, state] as const),
    ['4 KiB', '0'.repeat(4096)],
    ['4 KiB of Japanese', 'あ'.repeat(1365)],
  ]

  test.each(states)('AZ-13: is returned unchanged with an error: %s', async (_, state) => {
    expect(errorTo(await mio.open(authorizeUrl(client, { state, scope: 'x' })), state)).toBe('invalid_scope')
  })

  test.each(states)('AZ-13: is returned unchanged with a code and a refusal: %s', async (_, state) => {
    const denied = await decide(mio, client, { decision: 'deny', params: { state } })
    expect(errorTo(denied, state)).toBe('access_denied')
    const { code, ...others } = answerOf(await decide(mio, client, { params: { state } }))
    expect(others).toEqual({ state })
    expect(code).toStartWith('kir_ac_')
  })

  test('AZ-13: is not sent if it was missing or empty', async () => {
    for (const params of [{}, { state: '' }]) {
      expect(answerOf(await decide(mio, client, { params }))).not.toHaveProperty('state')
      expect(errorTo(await mio.open(authorizeUrl(client, { ...params, scope: 'x' })))).toBe('invalid_scope')
    }
  })
})

describe('a parameter that is sent twice', () => {
  test.each(['response_type=code', 'scope=read', 'code_challenge_method=S256', 'nonsense=1&nonsense=2'])(
    'AZ-16: is refused: %p',
    async (more) => {
      const params = { scope: 'read', state: 's', ...pkce }
      const page = await mio.open(`${authorizeUrl(client, params)}&${more}`)
      expect(errorTo(page, 's')).toBe('invalid_request')
    },
  )

  test('AZ-16: is not returned if it is the state', async () => {
    const page = await mio.open(`${authorizeUrl(client, { state: 'one' })}&state=two`)
    expect(errorTo(page)).toBe('invalid_request')
  })
})

describe('PKCE', () => {
  test.each([
    ['too short', pkce.code_challenge.slice(1)],
    ['too long', `${pkce.code_challenge}x`],
    ['of other characters', `${pkce.code_challenge.slice(1)}.`],
    ['in Base64 with padding', `${pkce.code_challenge.slice(1)}=`],
    ['of 128 characters', 'x'.repeat(128)],
  ])('AZ-17: a challenge that is %s is refused', async (_, code_challenge) => {
    expect(await refused({ ...pkce, code_challenge })).toBe('invalid_request')
  })

  test.each([
    [{ ...pkce, code_challenge_method: 'plain' }],
    [{ code_challenge: pkce.code_challenge }],
    [{ ...pkce, code_challenge_method: 's256' }],
    [{ ...pkce, code_challenge_method: 'S512' }],
    [{ code_challenge_method: 'S256' }],
    [{ code_challenge_method: 'plain' }],
  ])('AZ-18: %p is refused', async (params) => expect(await refused(params)).toBe('invalid_request'))

  test('AZ-19: is required for a client without a secret', async () => {
    expect(await refused({}, open)).toBe('invalid_request')
    expect(answerOf(await decide(mio, open, { params: pkce })).code).toStartWith('kir_ac_')
  })

  test('AZ-17: a challenge is stored with the code', async () => {
    await decide(mio, client, { params: pkce })
    const codes = kiroku.deps.read.selectFrom('authorization_codes').select('code_challenge')
    const kept = await codes.orderBy('id', 'desc').executeTakeFirst()
    expect(kept?.code_challenge).toBe(pkce.code_challenge)
  })
})

describe('other kinds of requests and responses', () => {
  test.each([
    [{ request: 'eyJhbGciOiJub25lIn0.e30.' }],
    [{ request_uri: 'https://client.example/request.jwt' }],
    [{ request_uri: 'urn:ietf:params:oauth:request_uri:x' }],
    [{ response_mode: 'fragment' }],
    [{ response_mode: 'form_post' }],
    [{ response_mode: 'web_message' }],
  ])('AZ-28: %p is refused', async (params) => expect(await refused(params)).toBe('invalid_request'))

  test('AZ-28: response_mode may state the default', async () => {
    expect(await grantedScope({ response_mode: 'query' })).toBe('read')
  })

  test('unknown parameters are ignored (RFC 6749 §3.1)', async () => {
    expect(await grantedScope({ prompt: 'none', nonce: 'x', login_hint: 'yui' })).toBe('read')
  })
})
