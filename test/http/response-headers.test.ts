import { afterAll, describe, expect, test } from 'bun:test'
import { createApp, endpoints, routes } from '../../src/app'
import { StorageFault } from '../../src/db/storage-fault'
import { assetPaths, oauthRedirectPath } from '../../src/docs/docs'
import { assets } from '../../src/pages/assets'
import { createInstance, type Instance, requestOf, targetOf, withToken } from '../support/instance'
import { authorizeUrl, decide, registerClient } from '../support/oauth'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const { ask, deps, token } = kiroku
afterAll(kiroku.close)

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const paths = [
  ...[...endpoints, ...routes].map(({ path }) => targetOf(path)),
  ...Object.keys(assets),
  ...Object.values(assetPaths),
  ...[
    '/docs',
    oauthRedirectPath,
    '/openapi.json',
    '/nothing',
    '/v1/nothing',
    '/v1/%zz',
    '/assets/',
    '//',
    '/%00',
  ],
]

/** The headers missing in a response; discards its body. */
async function missing(response: Response, hsts: string | null = null): Promise<string[]> {
  await response.body?.cancel()
  const { headers } = response
  const policy = headers.get('content-security-policy') ?? ''
  const rules: Readonly<Record<string, boolean>> = {
    nosniff: headers.get('x-content-type-options') === 'nosniff',
    'default-src': policy.includes("default-src 'none'"),
    'frame-ancestors': policy.includes("frame-ancestors 'none'"),
    referrer: ['no-referrer', 'same-origin'].includes(headers.get('referrer-policy') ?? ''),
    hsts: headers.get('strict-transport-security') === hsts,
  }
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [`${response.status} ${rule}`]))
}

describe('every response, to whatever request,', () => {
  test.each(methods)(
    'to %s tells browsers not to sniff, to load nothing and to keep the address private',
    async (method) => {
      const mio = await createMember(kiroku, 'mio')
      const cookie = [...mio.cookies].map((pair) => pair.join('=')).join('; ')
      const found: string[] = []
      const statuses = new Set<number>()
      for (const path of new Set(paths)) {
        const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
        const inits = [{}, withToken(token), { headers: form }, { headers: { ...form, cookie } }]
        for (const init of inits) {
          const response = await ask(path, { ...init, method })
          statuses.add(response.status)
          found.push(...(await missing(response)).map((what) => `${method} ${path}: ${what}`))
        }
      }
      expect(found).toEqual([])
      const some = {
        GET: [200, 303, 400, 401, 404],
        HEAD: [200, 303],
        POST: [400, 401, 403, 405],
        OPTIONS: [204, 404],
      }
      expect([...statuses]).toEqual(
        expect.arrayContaining(Object.entries(some).find(([name]) => name === method)?.[1] ?? [405]),
      )
    },
    60_000,
  )

  test('and so do redirects to a client', async () => {
    const client = await registerClient(kiroku)
    const mio = await createMember(kiroku, 'mio')
    const { headers, status } = await decide(mio, client)
    expect(await missing(new Response(null, { status, headers }))).toEqual([])
    expect([status, headers.get('referrer-policy')]).toEqual([303, 'no-referrer'])
    const refused = await mio.open(authorizeUrl(client, { response_type: 'x' }))
    expect(await missing(new Response(null, { status: refused.status, headers: refused.headers }))).toEqual(
      [],
    )
  })

  test('and refusals of large bodies and of an invalid host', async () => {
    const body = 'x'.repeat(300_000)
    const large = await ask('/v1/me/records', withToken(token, { method: 'POST', body }))
    const form = await ask('/sign_in', { method: 'POST', body, headers: { accept: 'text/html' } })
    const odd = await ask('/', { headers: { host: 'a b' } })
    expect([large.status, form.status, odd.status]).toEqual([413, 413, 400])
    for (const response of [large, form, odd]) expect(await missing(response)).toEqual([])
  })

  test('and refusals of too many requests', async () => {
    const limited = await createInstance({ config: { rateLimit: 60 } })
    const seen = new Set<string>()
    for (const target of ['/v1/works', '/', '/oauth/token/info']) {
      for (let turn = 0; turn < 320; turn += 1) {
        const response = await limited.ask(target, { headers: { accept: 'text/html' } })
        if (response.status !== 429) continue
        expect(await missing(response)).toEqual([])
        seen.add(target)
      }
    }
    await limited.close()
    expect([...seen]).toEqual(['/v1/works', '/', '/oauth/token/info'])
  }, 60_000)

  test('and faults, and responses of a server that is busy or stopping', async () => {
    for (const cause of [new StorageFault('busy', 'busy'), new Error('disk I/O error')]) {
      const failing = { write: () => Promise.reject(cause), isStopping: () => true }
      const app = createApp({ ...deps, ...failing })
      const mio = await createMember(kiroku, 'mio')
      const cookie = [...mio.cookies].map((pair) => pair.join('=')).join('; ')
      const client = await registerClient(kiroku)
      for (const [target, init, status] of [
        ['/readyz', {}, 503],
        [
          '/v1/me/follows?username=azusa',
          withToken(token, { method: 'POST' }),
          cause.message === 'busy' ? 503 : 500,
        ],
        [authorizeUrl(client), { headers: { cookie } }, cause.message === 'busy' ? 503 : 500],
      ] as const) {
        const response = await app.handle(requestOf(target, init), '192.0.2.1')
        expect([target, response.status]).toEqual([target, status])
        expect(await missing(response)).toEqual([])
      }
    }
  })
})

describe('over https', () => {
  const over = async (config: Parameters<typeof createInstance>[0], hsts: string | null) => {
    const instance: Instance = await createInstance(config)
    const init = { headers: { host: 'kiroku.example' } }
    for (const target of ['/', '/v1/works', '/assets/avatar.svg', '/settings', '/nothing', '/docs'])
      expect(await missing(await instance.ask(target, init), hsts)).toEqual([])
    await instance.close()
  }
  const baseUrl = 'https://kiroku.example'

  test('every response tells browsers to stay with https, for this host', () =>
    over({ config: { baseUrl } }, 'max-age=31536000'))

  test('and for its subdomains, with --hsts include-subdomains', () =>
    over({ config: { baseUrl, hsts: 'include-subdomains' } }, 'max-age=31536000; includeSubDomains'))

  test('or does not, with --hsts off', () => over({ config: { baseUrl, hsts: 'off' } }, null))
})
