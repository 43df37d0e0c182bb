import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { en } from '../../../src/messages/en'
import { browserName } from '../../../src/site/account/sessions'
import { createInstance, type Instance } from '../../support/instance'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../../support/visitor'

let kiroku: Instance
let mio: Visitor

beforeAll(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const pages = ['/settings', '/settings/profile', '/settings/sessions', '/settings/two_step']

test.each(pages)('%s asks visitors to sign in first, and comes back', async (page) => {
  const { status, location } = await createVisitor(kiroku).open(page)
  expect([status, location]).toEqual([303, `/sign_in?return_to=${encodeURIComponent(page)}`])
})

test('the settings link to each of these pages, in Japanese too', async () => {
  const { text } = await (await createMember(kiroku, 'mio', { language: 'ja' })).open('/settings')
  for (const page of pages.slice(1)) expect(text).toContain(`<a href="${page}">`)
  expect(text).toContain('2段階認証')
})

describe('a profile', () => {
  const typed = { name: '澪', description: '', url: '' }
  const refused: readonly [string, Partial<typeof typed>, string][] = [
    ['without a name', { name: '  ' }, 'name'],
    ...['\u200b\u200b', '\u2060', '\u3164', '\u2800 \ufe0f'].map(
      (name) => [`with a name of nothing but ${encodeURIComponent(name)}`, { name }, 'name'] as const,
    ),
    ['with a name of 51 characters', { name: '𠮷'.repeat(51) }, 'name'],
    ['with a name that turns the writing', { name: 'mio\u202egp' }, 'name'],
    ['with a description of 501 characters', { description: '𠮷'.repeat(501) }, 'description'],
    ...[
      'javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'ftp://example.com/',
      'example.com',
      '//example.com/',
      'https://mio@example.com/',
      'https://mio:pw@example.com/',
      'https://',
      'https://exa mple.com/',
      `https://example.com/${'あ'.repeat(100)}`,
    ].map((url) => [`with the address ${url.slice(0, 30)} (§2.5)`, { url }, 'url'] as const),
  ] as never
  test.each(refused)('is refused %s', async (_, wrong, field) => {
    const before = await kiroku.json('/v1/me')
    const page = await mio.submit('/settings/profile', { ...typed, ...wrong })
    expect([page.status, page.text]).toEqual([422, expect.stringContaining(`id="${field}-problem"`)])
    expect(await kiroku.json('/v1/me')).toEqual(before)
  })

  test.each([
    ['https://mio.example', 'https://mio.example/'],
    [' HTTPS://Mio.Example:443/a b '.replace('a b', 'a%20b'), 'https://mio.example/a%20b'],
    ['http://日本.example/庭', 'http://xn--wgv71a.example/%E5%BA%AD'],
    ['', null],
  ])('keeps the address %p as %p (§2.5)', async (url, kept) => {
    expect((await mio.submit('/settings/profile', { ...typed, url })).location).toBe('/settings')
    expect((await kiroku.json('/v1/me')).url).toBe(kept)
  })

  test.each(['👨‍👩‍👧', '・', '𠮷', 'م\u200cن'])('may have the name %p', async (name) => {
    expect((await mio.submit('/settings/profile', { ...typed, name })).location).toBe('/settings')
    expect((await kiroku.json('/v1/me')).name).toBe(name)
  })

  test('is shown by the API as written, and in the form again', async () => {
    const values = {
      name: 'みお & <b>',
      description: '一行目\r\n"二行目"',
      url: 'https://mio.example/?a=1&b=2',
    }
    await mio.submit('/settings/profile', values)
    expect(await kiroku.json('/v1/me')).toMatchObject({
      username: 'mio',
      name: 'みお & <b>',
      description: '一行目\n"二行目"',
      url: 'https://mio.example/?a=1&b=2',
    })
    const { text } = await mio.open('/settings/profile')
    expect(text).not.toContain('<b>"')
    expect(text).toContain('みお &#38; &#60;b&#62;')
  })

  test('leaves everything else unchanged, whatever is sent', async () => {
    const { csrf = '' } = hiddenInputs((await mio.open('/settings/profile')).text, '/settings/profile')
    const more = { username: 'root', is_admin: '1', email: 'x@example.com', id: '2' }
    expect((await mio.post('/settings/profile', { csrf, ...typed, ...more })).status).toBe(303)
    expect(await kiroku.json('/v1/me')).toMatchObject({ id: 1, username: 'mio', email: 'mio@example.com' })
    expect(kiroku.store.handle.query('select is_admin from users where id = 1').values()).toEqual([[0]])
  })
})

describe('sessions (§2.2)', () => {
  const ids = () =>
    kiroku.store.handle
      .query<{ id: number }, []>('select id from sessions where user_id = 1 order by id')
      .all()
      .map(({ id }) => id)

  test('of somebody else cannot be ended: they do not exist', async () => {
    const azusa = await createMember(kiroku, 'azusa')
    const { csrf = '' } = hiddenInputs((await azusa.open('/settings/sessions')).text, '/sign_out')
    for (const id of [...ids(), 999, 0, 'x', '1e3']) {
      const page = await azusa.post(`/settings/sessions/${id}/end`, { csrf })
      expect([id, page.status]).toEqual([id, 404])
    }
    await azusa.post('/settings/sessions/end_others', { csrf })
    expect(ids().length).toBeGreaterThan(1)
  })

  test('are shown only after a recent confirmation', async () => {
    const idle = await createMember(kiroku, 'azusa')
    kiroku.clock.now += 16 * 60_000
    expect((await idle.open('/settings/sessions')).location).toBe('/confirm?return_to=%2Fsettings%2Fsessions')
  })

  test('are listed with browser, address and times, each with a button to end it', async () => {
    kiroku.store.handle.run('delete from sessions where user_id = 1')
    const [here, there] = [await createMember(kiroku, 'mio'), await createMember(kiroku, 'mio')]
    const [, other = 0] = ids()
    kiroku.store.handle.run(
      "update sessions set user_agent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/1', address = '2001:db8::1' where id = ?",
      [other],
    )
    const page = await here.open('/settings/sessions')
    expect(page.text).toContain('Firefox on Linux')
    expect(page.text).toContain('2001:db8::1')
    expect(page.text.match(/This browser/g)).toHaveLength(1)
    const ended = await here.submit('/settings/sessions', {}, `/settings/sessions/${other}/end`)
    expect(ended.location).toBe('/settings/sessions')
    expect((await there.open('/settings')).status).toBe(303)
    expect((await here.open('/settings')).status).toBe(200)
  })

  test('all others end at once, including half-finished ones', async () => {
    const here = await createMember(kiroku, 'mio')
    const others = [await createMember(kiroku, 'mio'), await createMember(kiroku, 'mio')]
    await here.submit('/settings/sessions', {}, '/settings/sessions/end_others')
    for (const other of others) expect((await other.open('/settings')).status).toBe(303)
    expect((await here.open('/settings/sessions')).status).toBe(200)
    expect(ids()).toHaveLength(1)
  })
})

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36',
    'Chrome on Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0',
    'Firefox on macOS',
  ],
  ['curl/8.5.0', 'curl'],
  ['', 'Unknown browser'],
  ['<script>', 'Unknown browser'],
])('a browser that calls itself %p is called %p', (userAgent, name) => {
  expect(browserName(userAgent, en)).toBe(name)
})
