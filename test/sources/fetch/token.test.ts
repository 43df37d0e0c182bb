import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { headersOf } from '../../../src/sources/fetch/headers'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'
import { fetching, madeUp } from '../../support/source-fetch'
import { createWebSite } from '../../support/web-site'

const xml = { 'content-type': 'text/xml' }

/** Responses with which a server may repeat the token it was sent. */
const echoes: Readonly<Record<string, (token: string) => Response>> = {
  type: (token) => new Response('', { headers: { 'content-type': `text/${token}` } }),
  encoding: (token) => new Response(token, { headers: { ...xml, 'content-encoding': token } }),
  damaged: (token) => new Response(token, { headers: { ...xml, 'content-encoding': 'gzip' } }),
  large: (token) => new Response(token.repeat(1000), { headers: xml }),
  busy: (token) => new Response(token, { status: 429, headers: { 'retry-after': token } }),
  refused: (token) => new Response(token, { status: 401, statusText: token }),
  failed: (token) => new Response(token, { status: 500, statusText: token }),
  ...Object.fromEntries(
    ['https://TOKEN.example/', 'TOKEN://a/', 'https://a:TOKEN@api.example/', '/again?TOKEN'].map(
      (location) => [location, (token: string) => Response.redirect(location.replace('TOKEN', token))],
    ),
  ),
}

const site = createWebSite((_, request) => {
  const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
  const echo = new URL(request.url).searchParams.get('echo') ?? '/again?TOKEN'
  return echoes[echo]?.(token) ?? new Response()
})
let store: CatalogueStore
beforeAll(async () => {
  store = await catalogueStore()
})
afterAll(() => {
  store.close()
  return site.stop()
})

test('a token is in no error, whatever the source says', async () => {
  const tokens = fc.stringMatching(/^[A-Za-z0-9_-]{10,30}$/)
  const setting = { store, base: site.at('127.0.0.1'), source: { maxBytes: 1000 } }
  const check = fc.asyncProperty(tokens, fc.constantFrom(...Object.keys(echoes)), async (token, echo) => {
    const url = `https://api.example/?echo=${encodeURIComponent(echo)}`
    const thrown = await fetching(setting)
      .ask(url, { hasToken: true, token })
      .then(
        () => undefined,
        (cause) => cause,
      )
    expect(thrown).toBeInstanceOf(Error)
    expect(Bun.inspect(thrown).toLowerCase()).not.toContain(token.toLowerCase())
  })
  await fc.assert(check, { numRuns: 200 })
})

test('nor in the error for one that cannot be sent, or that is in a request', async () => {
  const { ask } = fetching({ store })
  const thrown = (asked: Promise<unknown>) => asked.catch((cause) => Bun.inspect(cause))
  const token = 'se cret\r\ntoken'
  expect(await thrown(ask('https://api.example/', { hasToken: true, token }))).not.toContain('cret')
  const secret = 'verysecret'
  const url = `https://${secret}.example/`
  expect(await thrown(ask(url, { hasToken: true, token: secret }))).not.toContain(secret)
})

test('it is sent only to the requested host, not to redirect targets', () => {
  const asked = {
    source: madeUp(),
    request: { url: '', as: 'answer', accept: [], hasToken: true },
    options: {
      location: null,
      token: 'secret',
      validators: null,
      signal: AbortSignal.any([]),
      keep: async () => {},
    },
    target: {
      url: new URL('https://packs.example/'),
      origins: new Set(['https://packs.example', 'https://api.example']),
      tokenOrigin: 'https://api.example',
      isOnLoopback: false,
    },
  }
  const tools = { baseUrl: 'https://log.example', contact: undefined }
  const headersFor = headersOf(tools, asked)
  expect(headersFor(new URL('https://api.example/a')).Authorization).toBe('Bearer secret')
  for (const other of ['https://packs.example/', 'https://api.example:8443/', 'http://api.example/'])
    expect(headersFor(new URL(other)).Authorization).toBeUndefined()
})
