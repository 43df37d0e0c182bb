import type { Browser } from '../browser'
import type { Recorder } from '../recorder'
import type { Client } from '../seed'
import { callback, codeFor, form, pkce, post, type Values, verifier } from './oauth-parts'

export async function tokens(recorder: Recorder, mugi: Browser, client: Client): Promise<void> {
  const known = { client_id: client.client_id, client_secret: client.client_secret ?? '' }
  const good = { grant_type: 'authorization_code', ...known, redirect_uri: callback, code_verifier: verifier }
  const basic = btoa(`${known.client_id}:${known.client_secret}`)
  recorder.masks.learn(basic, '<client and secret>')
  const code = await codeFor(mugi, client, pkce)
  for (const change of wrong) await post(recorder, '/oauth/token', { ...good, code, ...change })
  const { text } = await post(recorder, '/oauth/token', { ...good, code })
  const token = /"access_token":"([^"]+)"/.exec(text)?.[1] ?? ''
  recorder.tokens.set('granted', token)
  await useTokens(recorder)
  await askAbout(recorder, token, known, basic)
  for (const target of targets) await sendOddly(recorder, target)
  await post(recorder, '/oauth/revoke', { ...known, token })
  await recorder.ask({ target: '/v1/me', as: 'granted' })
  await post(recorder, '/oauth/token', { ...good, code })
  const late = await codeFor(mugi, client, pkce)
  recorder.instance.clock.advance(120)
  await post(recorder, '/oauth/token', { ...good, code: late })
}

const wrong: readonly Values[] = [
  { grant_type: '' },
  { grant_type: 'password' },
  { grant_type: 'refresh_token' },
  { grant_type: 'client_credentials' },
  { client_id: 'x' },
  { client_id: '' },
  { client_secret: 'x' },
  { client_secret: '' },
  { code: 'x' },
  { code: '' },
  { redirect_uri: 'https://evil.example' },
  { redirect_uri: '' },
  { code_verifier: 'short' },
  { code_verifier: '' },
  { code_verifier: verifier.toLowerCase() },
]

async function useTokens(recorder: Recorder): Promise<void> {
  for (const target of ['/v1/me', '/oauth/token/info']) await recorder.ask({ target, as: 'granted' })
  for (const as of ['mio', 'mio-over', 'nobody']) await recorder.ask({ target: '/oauth/token/info', as })
  await recorder.ask({ target: '/oauth/token/info' })
}

async function askAbout(recorder: Recorder, token: string, known: Values, basic: string): Promise<void> {
  const foreign = [{}, { token: '' }, { token: 'x' }, { token: recorder.tokens.get('mio') ?? '' }]
  // The token is revoked at the end.
  const asked: readonly (readonly [string, Values])[] = [
    ...[...foreign, { token }].map((values) => ['/oauth/introspect', values] as const),
    ...foreign.map((values) => ['/oauth/revoke', values] as const),
  ]
  for (const [target, values] of asked) {
    await post(recorder, target, values)
    await post(recorder, target, { ...known, ...values })
    await post(recorder, target, { ...known, client_secret: 'x', ...values })
    await post(recorder, target, values, { ...form, authorization: `Basic ${basic}` })
  }
}

const targets = ['/oauth/token', '/oauth/introspect', '/oauth/revoke', '/oauth/device_authorization']

const bodies = [
  ['application/json', '{'],
  ['application/json', '[]'],
  ['text/plain', 'a'],
  ['application/json', '{"token":{}}'],
] as const

async function sendOddly(recorder: Recorder, target: string): Promise<void> {
  for (const [type, body] of bodies)
    await recorder.ask({ method: 'POST', target, headers: { 'content-type': type }, body })
  for (const method of ['GET', 'OPTIONS', 'PUT'])
    await recorder.ask({ method, target, headers: { origin: 'https://client.example' } })
  await recorder.ask({ method: 'POST', target, headers: form, body: 'token=a&token=b&client_id=x' })
  await recorder.ask({ method: 'POST', target: `${target}?client_id=x&token=y` })
}
