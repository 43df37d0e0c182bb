import { afterEach, describe, expect, test } from 'bun:test'
import { pictureRoutes } from '../../src/covers/routes'
import { graphiqlAssetPaths } from '../../src/docs/graphiql-page'
import { assets } from '../../src/pages/assets'
import { createInstance, type Instance, withToken } from '../support/instance'
import { authorizeUrl, postAs, registerClient } from '../support/oauth'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

let kiroku: Instance
afterEach(() => kiroku.close())

const limited = async (rateLimit: number | null = 600) => {
  kiroku = await createInstance({ config: { rateLimit } })
}

/** Opens a small page n times; every response must have this status. */
async function times(n: number, status: number, visitor: Visitor, target = '/about'): Promise<void> {
  for (let opened = 0; opened < n; opened += 1)
    expect([target, (await visitor.open(target)).status]).toEqual([target, status])
}

describe('an address without a signed-in user (D53)', () => {
  test('opens 300 pages at once and 600 a minute; then a page says when to come back', async () => {
    await limited()
    const visitor = createVisitor(kiroku)
    await times(300, 200, visitor)
    const refused = await visitor.open('/about')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(refused.text).toContain('<h1>A little slower, please</h1>')
    const inJapanese = await visitor.open('/about', { headers: { 'accept-language': 'ja' } })
    expect(inJapanese.text).toContain('少し待ってから開き直してください。')
    kiroku.clock.now += 100
    await times(1, 200, visitor)
    await times(1, 429, visitor)
    await times(1, 200, createVisitor(kiroku, { peer: '192.0.2.2' }))
  })

  test('shares its limit with its /64, whatever cookie is made up', async () => {
    await limited()
    await times(150, 200, createVisitor(kiroku, { peer: '2001:db8::1' }))
    const other = createVisitor(kiroku, { peer: '2001:db8::2:1' })
    other.cookies.set('sid_3000', 'made up')
    await times(150, 200, other)
    await times(1, 429, other)
    await times(1, 200, createVisitor(kiroku, { peer: '2001:db8:0:1::1' }))
  })

  test('is counted for forms, redirects and missing pages', async () => {
    await limited()
    const client = await registerClient(kiroku)
    const visitor = createVisitor(kiroku)
    for (let sent = 0; sent < 100; sent += 1) expect((await visitor.post('/sign_in', {})).status).toBe(403)
    await times(100, 303, visitor, authorizeUrl(client))
    const html = { headers: { accept: 'text/html' } }
    for (let asked = 0; asked < 100; asked += 1)
      expect((await visitor.open('/nothing', html)).status).toBe(404)
    await times(1, 429, visitor, authorizeUrl(client))
    expect((await visitor.post('/sign_in', {})).status).toBe(429)
    expect((await visitor.open('/nothing', html)).status).toBe(429)
  })

  test('still gets assets, the server’s health, and everything for programs', async () => {
    await limited()
    await times(300, 200, createVisitor(kiroku))
    await times(1, 429, createVisitor(kiroku))
    const style = /href="([^"]+\.css)"/.exec((await createVisitor(kiroku).open('/')).text)?.[1] ?? ''
    const others = [
      style,
      '/livez',
      '/readyz',
      '/docs/oauth2-redirect.html',
      '/openapi.json',
      '/.well-known/oauth-authorization-server',
    ]
    for (const target of others) {
      const asked = async () => (await kiroku.ask(target)).status
      for (let n = 0; n < 50; n += 1) expect([target, await asked()]).toEqual([target, 200])
    }
    expect((await kiroku.ask('/v1/works', withToken(kiroku.token))).status).toBe(200)
    expect((await kiroku.ask('/v1/works')).status).toBe(401)
    expect((await postAs(kiroku, '/oauth/token', {})).status).toBe(400)
  })
})

describe('files, documents for programs and what does not exist', () => {
  const paths = pictureAndAssetPaths()

  test('are answered 1,500 times at once and 3,000 times a minute per address; health checks always', async () => {
    await limited()
    for (let asked = 0; asked < 1500; asked += 1)
      expect((await kiroku.ask('/avatars/mio.svg')).status).toBe(200)
    for (const [method, path] of paths) {
      const refused = await kiroku.ask(path, { method })
      expect([method, path, refused.status, refused.headers.get('retry-after')]).toEqual([
        method,
        path,
        429,
        '1',
      ])
    }
    for (const path of ['/livez', '/readyz']) expect((await kiroku.ask(path)).status).toBe(200)
    for (const [method, path] of paths)
      expect((await kiroku.ask(path, { method }, '192.0.2.9')).status).not.toBe(429)
    kiroku.clock.now += 20
    expect((await kiroku.ask('/avatars/mio.svg')).status).toBe(200)
  })
})

/** Whatever is served without asking who is there, and what is not there at all. */
function pictureAndAssetPaths() {
  const get = [
    ...Object.keys(assets),
    ...pictureRoutes.map(({ path }) => path.replace(':file', '1.svg')),
    ...Object.values(graphiqlAssetPaths),
    '/openapi.json',
    '/docs/oauth2-redirect.html',
    '/.well-known/oauth-authorization-server',
    '/.well-known/nothing',
    '/nothing',
    '/v1/nothing',
  ]
  const others = [
    ['PUT', '/v1/works'],
    ['DELETE', '/avatars/mio.svg'],
    ['OPTIONS', '/v1/works'],
    ['PUT', '/graphql'],
  ] as const
  return [...get.map((path) => ['GET', path] as const), ...others]
}

describe('a signed-in user (D53)', () => {
  test('is counted alone, from wherever pages are opened', async () => {
    await limited()
    await times(300, 200, createVisitor(kiroku))
    const [mio, azusa] = [await createMember(kiroku, 'mio'), await createMember(kiroku, 'azusa')]
    await times(150, 200, mio)
    const away = createVisitor(kiroku, { peer: '203.0.113.9' })
    for (const pair of mio.cookies) away.cookies.set(...pair)
    await times(150, 200, away)
    for (const visitor of [away, mio]) await times(1, 429, visitor)
    await times(1, 200, azusa)
    await times(1, 200, createVisitor(kiroku, { peer: '203.0.113.9' }))
  })
})

test('--rate-limit off does not limit pages either', async () => {
  await limited(null)
  await times(301, 200, createVisitor(kiroku))
})
