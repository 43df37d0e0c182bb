import { Browser, formsOf } from '../browser'
import type { Recorder } from '../recorder'
import { type Client, makeClient } from '../seed'
import { devices } from './oauth-devices'
import { callback, pkce, type Values } from './oauth-parts'
import { tokens } from './oauth-tokens'

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
    await mugi.submit(target, { decision: 'approve' }, '/oauth/authorize')
  }
}
