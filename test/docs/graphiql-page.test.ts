import { afterAll, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { createMember, createVisitor } from '../support/visitor'

const kiroku = await createInstance()
const below = await createInstance({ config: { baseUrl: 'https://example.org/kiroku' } })
afterAll(() => Promise.all([kiroku.close(), below.close()]))

const browser = { headers: { accept: 'text/html,application/xhtml+xml' } }
const nonceIn = (text: string) => /nonce[-=]"?([^'"]+)/.exec(text)?.[1]

test('visitors sign in first, and come back', async () => {
  const page = await createVisitor(kiroku).open('/graphql', browser)
  expect([page.status, page.location]).toEqual([303, '/sign_in?return_to=%2Fgraphql'])
})

test('the page lets only its own script add styles, with a nonce per response; scripts come from files', async () => {
  const mio = await createMember(kiroku, 'mio')
  const [page, another] = [await mio.open('/graphql', browser), await mio.open('/graphql', browser)]
  expect(page.status).toBe(200)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(nonceIn(page.text)).toMatch(/^[\w+/]{22}==$/)
  expect(policy).toContain(`style-src 'self' 'nonce-${nonceIn(page.text)}';`)
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self';")
  expect(policy).not.toContain('unsafe')
  expect(nonceIn(another.text)).not.toBe(nonceIn(page.text))
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.has('access-control-allow-origin')).toBe(false)
})

test('API clients are told that GET is not for them, signed in or not', async () => {
  for (const visitor of [createVisitor(kiroku), await createMember(kiroku, 'mio')])
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const { status, headers: answered } = await visitor.open('/graphql?query={viewer{username}}', {
        headers,
      })
      expect([status, answered.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    }
})

test('a session does not authenticate queries, from whatever page', async () => {
  const mio = await createMember(kiroku, 'mio')
  const body = JSON.stringify({ query: '{ viewer { username } }' })
  const headers = { 'content-type': 'application/json', origin: 'http://localhost:3000' }
  const { status, text } = await mio.open('/graphql', { method: 'POST', headers, body })
  expect([status, text]).toEqual([401, '{"message":"Not authorized"}'])
})

test('below a path, the page sends its requests there', async () => {
  const azusa = await createMember(below, 'azusa')
  const { text } = await azusa.open('/kiroku/graphql', browser)
  expect(text).toContain('data-endpoint="/kiroku/graphql"')
  expect(text).toContain('src="/kiroku/docs/assets/graphiql.js"')
  expect(text).toContain('href="/kiroku/settings/tokens"')
})

test('its files are served compressed or not, and contain no fonts', async () => {
  const unpacked = []
  for (const name of ['graphiql.js', 'graphiql.css']) {
    const path = `/docs/assets/${name}`
    const packed = await kiroku.ask(path, { headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const plain = await (await kiroku.ask(path)).text()
    expect(Buffer.from(Bun.gunzipSync(await packed.arrayBuffer())).toString()).toBe(plain)
    unpacked.push(plain)
  }
  expect(unpacked[1]).toContain('.graphiql-container')
  expect(unpacked[1]).not.toContain('@font-face')
})
