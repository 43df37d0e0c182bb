import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Annict from 'annict'
import * as oauth4webapi from 'oauth4webapi'
import * as openid from 'openid-client'
import { AuthorizationCode } from 'simple-oauth2'
import { output } from '../support/in-process'
import { type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { createVisitor, hiddenInputs, type Visitor } from '../support/visitor'

const redirectUri = 'https://client.example/callback'
const password = 'correct horse battery'

const directory = temporaryDirectory()
let server: Server
let client: { client_id: string; client_secret: string }
let mio: Visitor

beforeAll(async () => {
  const user = ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin']
  await output(directory, user, { input: password })
  const app = ['app', 'create', 'mio', '--name', 'Library', '--redirect-uri', redirectUri]
  client = JSON.parse(await output(directory, [...app, '--scope', 'read write']))
  server = await startServer(directory)
  mio = createVisitor({ ask: (target, init) => fetch(server.url + target, { ...init, redirect: 'manual' }) })
  await mio.signIn('mio', password)
}, 60_000)
afterAll(async () => {
  await server?.end('SIGTERM')
  directory[Symbol.dispose]()
})

/** Opens an authorization URL in mio's browser, approves, and returns where the browser is redirected. */
async function approve(url: string): Promise<URL> {
  expect(url).toStartWith(`${server.url}/oauth/authorize?`)
  const asked = await mio.open(url.slice(server.url.length))
  expect(asked.status).toBe(200)
  const inputs = hiddenInputs(asked.text, '/oauth/authorize')
  const answered = await mio.post('/oauth/authorize', { ...inputs, decision: 'approve' })
  expect(answered.status).toBe(303)
  return new URL(answered.location)
}

const me = async (token: string) => {
  const response = await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  return response.status === 200
    ? ((await response.json()) as { username: string }).username
    : response.status
}

describe('client libraries complete the authorization code flow unchanged', () => {
  test('oauth4webapi: discovery, PKCE, Basic with encoded halves, introspection, revocation', async () => {
    const insecure = { [oauth4webapi.allowInsecureRequests]: true }
    const issuer = new URL(server.url)
    const found = await oauth4webapi.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
    const as = await oauth4webapi.processDiscoveryResponse(issuer, found)
    const clientAuth = oauth4webapi.ClientSecretBasic(client.client_secret)
    const verifier = oauth4webapi.generateRandomCodeVerifier()
    const url = new URL(as.authorization_endpoint ?? '')
    const state = oauth4webapi.generateRandomState()
    for (const [name, value] of Object.entries({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'read write',
      state,
      code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }))
      url.searchParams.set(name, value)
    const led = await approve(url.href)
    const params = oauth4webapi.validateAuthResponse(as, client, led, state)
    const answer = await oauth4webapi.authorizationCodeGrantRequest(
      as,
      client,
      clientAuth,
      params,
      redirectUri,
      verifier,
      insecure,
    )
    const { access_token, scope } = await oauth4webapi.processAuthorizationCodeResponse(as, client, answer)
    expect([scope, await me(access_token)]).toEqual(['read write', 'mio'])
    const asked = await oauth4webapi.introspectionRequest(as, client, clientAuth, access_token, insecure)
    expect((await oauth4webapi.processIntrospectionResponse(as, client, asked)).active).toBe(true)
    const revoked = await oauth4webapi.revocationRequest(as, client, clientAuth, access_token, insecure)
    await oauth4webapi.processRevocationResponse(revoked)
    expect(await me(access_token)).toBe(401)
  })

  test('openid-client: a public client with PKCE on any loopback port, and the device grant', async () => {
    const app = ['app', 'create', 'mio', '--name', 'Native', '--redirect-uri', 'http://127.0.0.1/callback']
    const native = JSON.parse(await output(directory, [...app, '--public', '--device']))
    const options = { execute: [openid.allowInsecureRequests], algorithm: 'oauth2' as const }
    const config = await openid.discovery(
      new URL(server.url),
      native.client_id,
      undefined,
      openid.None(),
      options,
    )
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: 'http://127.0.0.1:49152/callback',
      scope: 'read',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })
    const led = await approve(url.href)
    expect(led.port).toBe('49152')
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    expect(await me((await openid.authorizationCodeGrant(config, led, checks)).access_token)).toBe('mio')

    const device = await openid.initiateDeviceAuthorization(config, { scope: 'read' })
    const asked = await mio.submit('/device', { user_code: device.user_code })
    expect(asked.text).toContain('Native')
    const inputs = hiddenInputs(asked.text, '/device/decide')
    expect((await mio.post('/device/decide', { ...inputs, decision: 'approve' })).status).toBe(200)
    const granted = await openid.pollDeviceAuthorizationGrant(config, device)
    expect([granted.scope, await me(granted.access_token)]).toEqual(['read', 'mio'])
  })

  test('simple-oauth2: the secret in the body', async () => {
    const simple = new AuthorizationCode({
      client: { id: client.client_id, secret: client.client_secret },
      auth: { tokenHost: server.url },
      options: { authorizationMethod: 'body' },
    })
    const led = await approve(
      simple.authorizeURL({ redirect_uri: redirectUri, scope: 'read write', state: 'xyz' }),
    )
    const code = led.searchParams.get('code') ?? ''
    const access = await simple.getToken({ code, redirect_uri: redirectUri })
    const token = String(access.token.access_token)
    expect(await me(token)).toBe('mio')
    await access.revoke('access_token')
    expect(await me(token)).toBe(401)
  })

  test('annict: JSON bodies, then records and reads through the API', async () => {
    const annict = pointed(new Annict())
    const query = { client_id: client.client_id, redirect_uri: redirectUri, response_type: 'code' }
    const led = await approve(`${server.url}/oauth/authorize?${new URLSearchParams(query)}`)
    const code = led.searchParams.get('code') ?? ''
    const { client_id, client_secret } = client
    const answer = await annict.OAuth.token(client_id, client_secret, 'authorization_code', redirectUri, code)
    const token = (await answer.json()) as { access_token: string }
    expect(Object.keys(token)).toEqual(['access_token', 'token_type', 'scope', 'created_at'])
    annict.client.setToken(token.access_token)
    const works = await (await annict.Work.get({ filter_title: 'shirobako' })).json()
    expect(works).toEqual({ works: [], total_count: 0, next_page: null, prev_page: null })
    expect((await annict.OAuth.revoke(token)).status).toBe(200)
    expect(await me(token.access_token)).toBe(401)
  })

  test('requests-oauthlib, from Python', async () => {
    const python = '/usr/bin/python3'
    const probe = Bun.spawnSync([python, '-c', 'import requests_oauthlib'])
    if (probe.exitCode !== 0) {
      if (process.env.CI) throw new Error('this test needs python3-requests-oauthlib')
      return console.log('skipped: there is no python3-requests-oauthlib')
    }
    const child = Bun.spawn([python, `${import.meta.dir}/../support/oauth-python.py`], {
      stdin: 'pipe',
      stdout: 'pipe',
    })
    const lines = linesOf(child.stdout)
    child.stdin.write(`${[server.url, client.client_id, client.client_secret, redirectUri].join('\n')}\n`)
    await child.stdin.flush()
    const led = await approve((await lines.next()).value ?? '')
    child.stdin.write(`${led.href}\n`)
    await child.stdin.end()
    expect((await lines.next()).value).toBe('mio')
    expect((await lines.next()).value).toBe("['read', 'write']")
    expect(await child.exited).toBe(0)
  })
})

/** The library with its built-in address replaced by the instance's. */
function pointed(annict: Annict): Annict {
  const { client: http } = annict
  const here = (url: string) => url.replace('https://api.annict.com', server.url)
  const { get, post } = http
  http.get = (url, query) => get.call(http, here(url), query)
  http.post = (url, body) => post.call(http, here(url), body)
  return annict
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let heard = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    heard += decoder.decode(chunk, { stream: true })
    for (let end = heard.indexOf('\n'); end >= 0; end = heard.indexOf('\n')) {
      yield heard.slice(0, end)
      heard = heard.slice(end + 1)
    }
  }
}
