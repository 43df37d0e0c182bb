import { Browser, formsOf, textAt } from '../browser'
import type { Recorder } from '../recorder'
import { type Client, makeClient } from '../seed'

type Values = Readonly<Record<string, string>>

const callback = 'https://client.example/callback'
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Authorization, tokens, devices, introspection and revocation, with all that can be wrong. */
export async function oauth(recorder: Recorder): Promise<void> {
  recorder.begin('oauth')
  const secret = await makeClient(recorder, 'secret', [
    '--redirect-uri',
    callback,
    '--redirect-uri',
    'urn:ietf:wg:oauth:2.0:oob',
  ])
  const open = await makeClient(recorder, 'open', [
    '--redirect-uri',
    'http://127.0.0.1/cb',
    '--public',
    '--scope',
    'read',
  ])
  const device = await makeClient(recorder, 'device', ['--redirect-uri', callback, '--public', '--device'])
  const mugi = new Browser(recorder, 'mugi')
  await mugi.signIn('mugi')
  await authorizations(recorder, mugi, secret, open)
  await tokens(recorder, mugi, secret)
  await devices(recorder, mugi, device)
}

async function authorizations(
  recorder: Recorder,
  mugi: Browser,
  secret: Client,
  open: Client,
): Promise<void> {
  const good = {
    client_id: secret.client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'read',
    state: 'xyz',
  }
  const changes: readonly Values[] = [
    {},
    pkce,
    { scope: 'read write' },
    { scope: 'admin' },
    { scope: '' },
    { state: '' },
    { state: 'a b&c' },
    { response_type: 'token' },
    { response_type: '' },
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: '' },
    { redirect_uri: `${callback}/` },
    { redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' },
    { client_id: 'nobody' },
    { client_id: '' },
    { ...pkce, code_challenge_method: 'plain' },
    { code_challenge: 'short' },
    { code_challenge_method: 'S256' },
    { response_mode: 'query' },
    { response_mode: 'fragment' },
    { prompt: 'none' },
    { request: 'x' },
    { nonce: 'n' },
    { client_id: open.client_id, redirect_uri: 'http://127.0.0.1:5555/cb' },
    { client_id: open.client_id, redirect_uri: 'http://127.0.0.1:5555/cb', ...pkce },
    { client_id: open.client_id, redirect_uri: 'http://127.0.0.1/cb', scope: 'write', ...pkce },
  ]
  for (const change of changes) {
    const target = `/oauth/authorize?${new URLSearchParams({ ...good, ...change })}`
    await recorder.ask({ target })
    const { text } = await mugi.open(target)
    const hidden = formsOf(text).find(({ action }) => action === '/oauth/authorize')?.hidden
    if (hidden === undefined) continue
    for (const decision of ['', 'maybe', 'deny', 'approve'])
      await mugi.post('/oauth/authorize', { ...hidden, decision })
  }
}

/** A code that somebody gave consent for. */
async function codeFor(mugi: Browser, client: Client, more: Values = {}): Promise<string> {
  const asked = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'read',
    ...more,
  }
  const target = `/oauth/authorize?${new URLSearchParams(asked)}`
  const came = await mugi.submit(target, { decision: 'approve' })
  return (
    new URL(came.headers.get('location') ?? 'http://none').searchParams.get('code') ??
    textAt(came.text, 'authorization_code')
  )
}

async function tokens(recorder: Recorder, mugi: Browser, client: Client): Promise<void> {
  const post = (target: string, values: Values, headers: Values = form) =>
    recorder.ask({ method: 'POST', target, headers, body: new URLSearchParams({ ...values }).toString() })
  const known = { client_id: client.client_id, client_secret: client.client_secret ?? '' }
  const good = { grant_type: 'authorization_code', ...known, redirect_uri: callback, code_verifier: verifier }
  const code = await codeFor(mugi, client, pkce)
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
  for (const change of wrong) await post('/oauth/token', { ...good, code, ...change })
  const { text } = await post('/oauth/token', { ...good, code })
  const token = /"access_token":"([^"]+)"/.exec(text)?.[1] ?? ''
  recorder.tokens.set('granted', token)
  for (const target of ['/v1/me', '/oauth/token/info']) await recorder.ask({ target, as: 'granted' })
  for (const as of ['mio', 'mio-over', 'nobody']) await recorder.ask({ target: '/oauth/token/info', as })
  await recorder.ask({ target: '/oauth/token/info' })
  for (const target of ['/oauth/introspect', '/oauth/revoke']) {
    for (const values of [
      {},
      { token: '' },
      { token: 'x' },
      { token: recorder.tokens.get('mio') ?? '' },
      { token },
    ]) {
      if (target === '/oauth/revoke' && 'token' in values && values.token === token) continue
      await post(target, values)
      await post(target, { ...known, ...values })
      await post(target, { ...known, client_secret: 'x', ...values })
      await post(target, values, {
        ...form,
        authorization: `Basic ${btoa(`${known.client_id}:${known.client_secret}`)}`,
      })
    }
  }
  for (const target of [
    '/oauth/token',
    '/oauth/introspect',
    '/oauth/revoke',
    '/oauth/device_authorization',
  ]) {
    for (const [type, body] of [
      ['application/json', '{'],
      ['application/json', '[]'],
      ['text/plain', 'a'],
      ['application/json', '{"token":{}}'],
    ])
      await recorder.ask({
        method: 'POST',
        target,
        headers: { 'content-type': type ?? '' },
        body: body ?? '',
      })
    for (const method of ['GET', 'OPTIONS', 'PUT'])
      await recorder.ask({ method, target, headers: { origin: 'https://client.example' } })
    await recorder.ask({ method: 'POST', target, headers: form, body: 'token=a&token=b&client_id=x' })
    await recorder.ask({ method: 'POST', target: `${target}?client_id=x&token=y` })
  }
  await post('/oauth/revoke', { ...known, token })
  await recorder.ask({ target: '/v1/me', as: 'granted' })
  await post('/oauth/token', { ...good, code })
  const late = await codeFor(mugi, client, pkce)
  recorder.instance.clock.advance(120)
  await post('/oauth/token', { ...good, code: late })
}

async function devices(recorder: Recorder, mugi: Browser, client: Client): Promise<void> {
  const post = (target: string, values: Values) =>
    recorder.ask({
      method: 'POST',
      target,
      headers: form,
      body: new URLSearchParams({ ...values }).toString(),
    })
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: client.client_id }
  for (const values of [{}, { client_id: 'x' }, { client_id: client.client_id, scope: 'all' }])
    await post('/oauth/device_authorization', values)
  for (const decision of ['deny', 'approve']) {
    const { text } = await post('/oauth/device_authorization', { client_id: client.client_id, scope: 'read' })
    const device_code = /"device_code":"([^"]+)"/.exec(text)?.[1] ?? ''
    const user_code = /"user_code":"([^"]+)"/.exec(text)?.[1] ?? ''
    recorder.masks.learn(user_code.replace('-', ''), `<user code to ${decision}>`)
    for (let turn = 0; turn < 3; turn += 1) await post('/oauth/token', { ...grant, device_code })
    await mugi.submit('/device', { user_code: 'BCDF-GHJK' })
    const asked = await mugi.submit('/device', { user_code })
    const hidden = formsOf(asked.text).find(({ action }) => action === '/device/decide')?.hidden ?? {}
    await mugi.post('/device/decide', { ...hidden, decision })
    for (let turn = 0; turn < 2; turn += 1) {
      recorder.instance.clock.advance(30)
      await post('/oauth/token', { ...grant, device_code })
    }
    await mugi.open('/settings/applications')
  }
}
