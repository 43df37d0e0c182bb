import { afterEach, describe, expect, test } from 'bun:test'
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
