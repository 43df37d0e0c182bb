import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { output } from '../support/in-process'
import type { Body } from '../support/instance'
import { type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { createVisitor, hiddenInputs } from '../support/visitor'

// Named this way because their types bring those of browsers along, for every other file too.
const [authCore, nextAuth4] = ['@auth/core', 'next-auth/next']
const { Auth } = (await import(authCore)) as {
  Auth(request: Request, config: object): Promise<Response>
}
const { default: nextAuth } = (await import(nextAuth4)) as {
  default(request: object, response: object, options: object): Promise<unknown>
}

const password = 'correct horse battery'
const directory = temporaryDirectory()
let server: Server

beforeAll(async () => {
  const user = ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin']
  await output(directory, user, { input: password })
  server = await startServer(directory)
}, 60_000)
afterAll(async () => {
  delete process.env.NEXTAUTH_URL
  await server?.end('SIGTERM')
  directory[Symbol.dispose]()
})

/** As the documentation of both libraries describes a provider of one's own, with Annict's addresses moved here. */
function provider({ client_id: clientId, client_secret: clientSecret }: Body, issuer?: string) {
  return {
    id: 'annict',
    name: 'Annict',
    type: 'oauth' as const,
    ...(issuer !== undefined && { issuer }),
    clientId,
    clientSecret,
    authorization: {
      url: `${server.url}/oauth/authorize`,
      params: { response_type: 'code', scope: 'read write' },
    },
    token: `${server.url}/oauth/token`,
    userinfo: `${server.url}/v1/me`,
    profile: (profile: Body) => ({
      id: String(profile.id),
      name: profile.name,
      email: profile.email,
      image: profile.avatar_url,
    }),
  }
}

type Provider = ReturnType<typeof provider>

const callbacks = {
  jwt: ({ token, account }: Body) => ({ ...token, ...(account && { accessToken: account.access_token }) }),
  session: ({ session, token }: Body) => ({ ...session, accessToken: token.accessToken }),
}

const secret = 'of the application that people sign in to'
// What the libraries would print about a refused sign-in.
const logger = { error: () => {}, warn: () => {}, debug: () => {} }

const libraries: Readonly<Record<string, (request: Request, annict: Provider) => Promise<Response>>> = {
  '@auth/core': (request, annict) =>
    Auth(request, {
      ...{ basePath: '/api/auth', trustHost: true, secret, logger },
      providers: [annict],
      callbacks,
    }),
  'next-auth': async (request, annict) => {
    const { url, method, headers } = request
    const { pathname, searchParams, origin } = new URL(url)
    // Where next-auth 4 looks for its own address.
    process.env.NEXTAUTH_URL = origin
    const answered = { status: 200, headers: new Headers(), body: '' }
    const response = {
      status(status: number) {
        answered.status = status
        return response
      },
      getHeader: (name: string) =>
        name.toLowerCase() === 'set-cookie' ? answered.headers.getSetCookie() : answered.headers.get(name),
      setHeader(name: string, values: string | string[]) {
        answered.headers.delete(name)
        for (const value of [values].flat()) answered.headers.append(name, value)
        return response
      },
      send: (body: unknown) =>
        Object.assign(answered, { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      end: () => {},
    }
    const cookies = (headers.get('cookie') ?? '').split('; ').map((pair) => pair.split('='))
    const asked = {
      ...{ method, headers: Object.fromEntries(headers) },
      query: { ...Object.fromEntries(searchParams), nextauth: pathname.split('/').slice(3) },
      cookies: Object.fromEntries(cookies.map(([name, value = '']) => [name, decodeURIComponent(value)])),
      body: Object.fromEntries(new URLSearchParams(await request.text())),
    }
    const options = { providers: [annict], callbacks, secret, logger }
    await nextAuth(asked, response, options)
    return new Response(answered.body, answered)
  },
}

/** A site that people sign in to with the library; returns the session that it has of mio at the end. */
async function signIn(library: string, args: readonly string[], issuer?: () => string) {
  const app = ['app', 'create', 'mio', '--name', library, '--scope', 'read write', ...args]
  const redirectUri = 'http://127.0.0.1/api/auth/callback/annict'
  const client = JSON.parse(await output(directory, [...app, '--redirect-uri', redirectUri]))
  const annict = provider(client, issuer?.())
  using site = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: (request) => libraries[library]?.(request, annict) ?? new Response(null, { status: 404 }),
  })
  const origin = `http://127.0.0.1:${site.port}`
  const there = createVisitor({
    ask: (target, init) => fetch(origin + target, { ...init, redirect: 'manual' }),
  })
  const here = createVisitor({
    ask: (target, init) => fetch(server.url + target, { ...init, redirect: 'manual' }),
  })

  const { csrfToken } = JSON.parse((await there.open('/api/auth/csrf')).text)
  const led = await there.post('/api/auth/signin/annict', { csrfToken, callbackUrl: `${origin}/welcome` }, {})
  expect(led.location).toStartWith(`${server.url}/oauth/authorize?`)
  const signInPage = await here.open(led.location.slice(server.url.length))
  expect(signInPage.location).toStartWith('/sign_in?')
  const signedIn = await here.submit(signInPage.location, { username: 'mio', password }, '/sign_in')
  const consent = await here.open(signedIn.location)
  const inputs = hiddenInputs(consent.text, '/oauth/authorize')
  const approved = await here.post('/oauth/authorize', { ...inputs, decision: 'approve' })
  expect(approved.location).toStartWith(`${origin}/api/auth/callback/annict?code=`)
  const back = await there.open(approved.location.slice(origin.length))
  const session = JSON.parse((await there.open('/api/auth/session')).text)
  return { names: new URL(approved.location).searchParams.has('iss'), led: back.location, session, origin }
}

describe.each(Object.keys(libraries))('%s', (library) => {
  test('signs in by the whole redirect, as it does with Annict, which sends no iss (D111)', async () => {
    const { names, led, session, origin } = await signIn(library, [])
    expect([names, led]).toEqual([false, `${origin}/welcome`])
    const { accessToken, user } = session
    const image = `${server.url}/assets/avatar.svg`
    expect(user).toEqual({ name: 'mio', email: 'mio@example.com', image })
    const me = await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${accessToken}` } })
    expect(((await me.json()) as Body).username).toBe('mio')
  }, 90_000)

  test('signs in to an application that is sent iss if it knows the issuer, and refuses it otherwise', async () => {
    const { names, led, session, origin } = await signIn(library, ['--send-iss'], () => server.url)
    expect([names, led, session.user?.email]).toEqual([true, `${origin}/welcome`, 'mio@example.com'])
    const refused = await signIn(library, ['--send-iss'])
    expect([refused.names, refused.session?.user]).toEqual([true, undefined])
    expect(refused.led).toContain('/api/auth/')
  }, 90_000)
})
