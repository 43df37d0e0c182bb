import { expect, test } from 'bun:test'
import { type Faults, providerAt } from '../../support/identity-provider'
import { exchange, on, refusal, signIn, useProviders } from '../../support/provider-exchange'

useProviders()

const at = (ms: number) => Math.floor((exchange.clock + ms) / 1000)

const longSubject = (all: Record<string, unknown>) => ({ ...all, sub: 'x'.repeat(256) })

const refused: readonly (readonly [string, Faults, string])[] = [
  ['an issuer that is another', { claims: (all) => ({ ...all, iss: `${exchange.home.issuer}/` }) }, 'iss'],
  ['no issuer', { claims: ({ iss: _, ...all }) => all }, 'iss'],
  ['another audience (token substitution)', { claims: (all) => ({ ...all, aud: 'other' }) }, 'aud'],
  ['a second audience without azp', { claims: (all) => ({ ...all, aud: ['kiroku', 'other'] }) }, 'aud'],
  ['another azp', { claims: (all) => ({ ...all, azp: 'other' }) }, 'azp'],
  ['another azp of two audiences', { claims: (all) => ({ ...all, aud: ['kiroku', 'x'], azp: 'x' }) }, 'azp'],
  ['no nonce', { claims: ({ nonce: _, ...all }) => all }, 'nonce'],
  ['the nonce of another attempt', { claims: (all) => ({ ...all, nonce: 'x' }) }, 'nonce'],
  ['no end', { claims: ({ exp: _, ...all }) => all }, 'exp'],
  ['an end an hour ago', { claims: (all) => ({ ...all, exp: at(-3_600_000) }) }, 'exp'],
  ['an end 61 s ago', { claims: (all) => ({ ...all, exp: at(-61_000) }) }, 'exp'],
  ['an issue an hour ahead', { claims: (all) => ({ ...all, iat: at(3_600_000) }) }, 'iat is in the future'],
  ['no time of issue', { claims: ({ iat: _, ...all }) => all }, 'iat'],
  ['a begin that is ahead', { claims: (all) => ({ ...all, nbf: at(120_000) }) }, 'nbf'],
  ['no subject', { claims: ({ sub: _, ...all }) => all }, 'sub'],
  ['an empty subject', { claims: (all) => ({ ...all, sub: '' }) }, 'sub'],
  ['a subject of 256 characters', { claims: longSubject, userinfo: longSubject }, 'sub'],
  ['a subject that is a number', { claims: (all) => ({ ...all, sub: 1 }) }, 'sub'],
  [
    'no algorithm',
    { header: (all) => ({ ...all, alg: 'none' }), idToken: (text) => text.replace(/[^.]*$/, '') },
    'alg',
  ],
  ['an algorithm with a shared secret', { header: (all) => ({ ...all, alg: 'HS256' }) }, 'alg'],
  ['an algorithm that is not listed', { header: (all) => ({ ...all, alg: 'ES384' }) }, 'alg'],
  [
    'a shared secret even if it is listed',
    {
      metadata: (all) => ({ ...all, id_token_signing_alg_values_supported: ['HS256', 'none'] }),
      header: (all) => ({ ...all, alg: 'HS256' }),
    },
    'alg',
  ],
  ['a wrong signature', { idToken: (text) => text.replace(/\.[^.]{8}([^.]*)$/, '.AAAAAAAA$1') }, 'signature'],
  ['claims changed after signing', { idToken: (text) => changedClaims(text, { sub: 'sub-2' }) }, 'signature'],
  ['a key that nobody published', { header: (all) => ({ ...all, kid: 'key-x' }) }, 'key'],
  ['critical extensions', { header: (all) => ({ ...all, crit: ['b64'] }) }, 'crit'],
  ['an encrypted token', { idToken: (text) => `${text}.a.b` }, 'JWE'],
  ['no token', { idToken: () => '' }, 'id_token'],
  ['no ID token', { token: ({ id_token: _, ...all }) => all }, 'id_token'],
  ['an access token that is none', { token: (all) => ({ ...all, access_token: 1 }) }, 'access_token'],
  ['another kind of token', { token: (all) => ({ ...all, token_type: 'mac' }) }, 'token_type'],
  [
    'an error instead of a token',
    { respond: on('/token', () => Response.json({ error: 'invalid_grant' }, { status: 400 })) },
    'invalid_grant',
  ],
  [
    'HTML instead of a token',
    { respond: on('/token', () => new Response('<p>', { headers: { 'content-type': 'text/html' } })) },
    'content-type',
  ],
  ['userinfo of another subject', { userinfo: (all) => ({ ...all, sub: 'sub-2' }) }, 'sub'],
  ['userinfo without a subject', { userinfo: ({ sub: _, ...all }) => all }, 'sub'],
  [
    'a refusal instead of userinfo',
    { respond: on('/userinfo', () => new Response('', { status: 403 })) },
    'UserInfo',
  ],
  [
    'userinfo that is unsigned although it is a token',
    { respond: on('/userinfo', () => unsigned({ sub: 'sub-1' })) },
    'alg',
  ],
]
test.each(refused)('is refused with %s', async (_, faults, why) => {
  const { problem, why: said } = await refusal(signIn(providerAt(exchange.home), { faults }))
  expect([problem, said]).toEqual(['answer', expect.stringContaining(why)])
  expect(said).not.toMatch(/sub-1|code-|token-\d|state/)
})

function changedClaims(token: string, change: object): string {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...change }
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
}

function unsigned(claims: object): Response {
  const parts = [{ alg: 'none' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return new Response(`${parts.join('.')}.`, { headers: { 'content-type': 'application/jwt' } })
}
