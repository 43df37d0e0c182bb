import { afterAll, describe, expect, test } from 'bun:test'
import { createFetcher, forbidsAll } from '../../src/covers/fetch/fetcher'
import { internet } from '../../src/fetching/outside'

import { createOutside, createWebSite } from '../support/web-site'

const page = (text = 'hello', headers = {}) =>
  new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } })
const to = (location: string, status = 302) => new Response(null, { status, headers: { location } })

const site = createWebSite((path, request) => {
  const host = request.headers.get('host') ?? ''
  if (path === '/robots.txt' && host.startsWith('closed')) return page('User-agent: *\nDisallow: /')
  if (path === '/robots.txt') return new Response('', { status: host.startsWith('ill') ? 503 : 404 })
  if (path === '/large') return page('x'.repeat(2000))
  if (path === '/zipped')
    return new Response(Bun.gzipSync(new Uint8Array(1_000_000)), {
      headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
    })
  if (path === '/dated')
    return request.headers.get('if-none-match') === '"a"'
      ? new Response(null, { status: 304 })
      : page('new', { etag: '"a"' })
  if (path.startsWith('/hop/')) return to(`/hop/${Number(path.slice(5)) - 1}`.replace('/hop/-1', '/'))
  if (path === '/inside') return to('http://169.254.169.254/latest/meta-data/')
  if (path === '/file') return to('file:///etc/passwd')
  if (path === '/loop') return to('/loop', 301)
  if (path === '/picture') return new Response('x', { headers: { 'content-type': 'image/png' } })
  if (path === '/hangs') return new Promise(() => {})
  return path === '/missing' ? new Response('', { status: 404 }) : page()
})
afterAll(site.stop)

const html = { types: ['text/html'], maxBytes: 1000 }
const text = (document: { bytes: Uint8Array } | undefined) => new TextDecoder().decode(document?.bytes)

function fetching(names = {}) {
  const { outside, state } = createOutside(names)
  return { ...createFetcher(outside, 'kiroku/1 (+https://log.test)'), state }
}

describe('the fetcher', () => {
  test('identifies itself, and reads the page under its host’s name', async () => {
    site.asked.length = 0
    const document = await fetching().get(site.at('anime.test', '/a?b'), html)
    expect([document?.url, text(document)]).toEqual([site.at('anime.test', '/a?b'), 'hello'])
    expect(site.asked.map(({ host, path }) => [host, path])).toEqual([
      [`anime.test:${site.port}`, '/robots.txt'],
      [`anime.test:${site.port}`, '/a?b'],
    ])
    for (const { headers } of site.asked) {
      expect(headers.get('user-agent')).toBe('kiroku/1 (+https://log.test)')
      expect(headers.get('cookie')).toBeNull()
    }
  })

  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '192.0.2.1',
    '::1',
    '::',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '::127.0.0.1',
    'fe80::1%eth0',
  ])('reaches the internet alone, not %s', (address) => {
    expect(internet.mayReach(address)).toBe(false)
  })

  test.each(['93.184.216.34', '2606:2800:220:1::1'])('reaches %s', (address) => {
    expect(internet.mayReach(address)).toBe(true)
  })

  test.each([
    ['a private address', 'http://10.1.2.3/', 'not a public address'],
    ['one in IPv6', 'http://[::ffff:10.1.2.3]/', 'not a public address'],
    ['one in decimal', 'http://167772161/', 'not a public address'],
    ['a name that leads to one', 'http://inner.example/', 'not a public address'],
    ['a name with a private address among others', 'http://both.example/', 'not a public address'],
    ['an unknown name', 'http://nobody.example/', 'unknown host'],
    ['another protocol', 'ftp://anime.test/', 'neither http nor https'],
    ['a file', 'file:///etc/passwd', 'neither http nor https'],
    ['a password', 'http://a:b@anime.test/', 'a name or password in the address'],
    ['no address', 'anime', 'no address'],
    ['a redirect to a private address', site.at('anime.test', '/inside'), 'not a public address'],
    ['a redirect to a file', site.at('anime.test', '/file'), 'neither http nor https'],
    ['a loop', site.at('anime.test', '/loop'), 'too many redirects'],
    ['a closed site', site.at('closed.test'), 'robots.txt'],
    ['a site whose robots.txt fails', site.at('ill.test'), 'robots.txt'],
    ['what is not there', site.at('anime.test', '/missing'), 'status 404'],
    ['another media type', site.at('anime.test', '/picture'), 'another media type'],
    ['too much', site.at('anime.test', '/large'), 'too large'],
    ['too much once it is unpacked', site.at('anime.test', '/zipped'), 'too large'],
  ])('refuses %s', async (_, url, why) => {
    const names = { 'inner.example': ['192.168.0.1'], 'both.example': ['127.0.0.1', '10.0.0.1'] }
    expect(
      await fetching(names)
        .get(url, html)
        .catch((cause) => cause.why),
    ).toBe(why)
  })

  test('connects to the address that was checked, whatever the name resolves to later', async () => {
    const { outside, state } = createOutside()
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    const resolve = async (host: string) => {
      state.resolved.push(host)
      return answers.shift() ?? []
    }
    const rebinding = { ...outside, resolve }
    const { get } = createFetcher(rebinding, 'kiroku')
    expect(await get(site.at('turning.test', '/robots.txt'), html).catch((cause) => cause.why)).toBe(
      'not a public address',
    )
    expect(state.resolved).toHaveLength(2)
  })

  test('connects by itself, though the system has a proxy, which would look the name up again', async () => {
    const proxy = createWebSite(() => page('by the proxy'))
    const before = process.env.HTTP_PROXY
    process.env.HTTP_PROXY = proxy.at('127.0.0.1', '')
    try {
      expect(text(await fetching().get(site.at('anime.test'), html))).toBe('hello')
      expect(proxy.asked).toEqual([])
    } finally {
      if (before === undefined) delete process.env.HTTP_PROXY
      else process.env.HTTP_PROXY = before
      await proxy.stop()
    }
  })

  test('follows five redirects, not six', async () => {
    expect(text(await fetching().get(site.at('anime.test', '/hop/4'), html))).toBe('hello')
    expect(
      await fetching()
        .get(site.at('anime.test', '/hop/5'), html)
        .catch((cause) => cause.why),
    ).toBe('too many redirects')
  })

  test('contacts a host once in two seconds, reads robots.txt once a day, and makes one request at a time', async () => {
    site.asked.length = 0
    const { get, state } = fetching()
    await Promise.all(['/1', '/2'].map((path) => get(site.at('anime.test', path), html)))
    expect(site.asked.map(({ path }) => path)).toEqual(['/robots.txt', '/1', '/2'])
    expect(state.slept).toEqual([2000, 2000])
    await get(site.at('other.test', '/1'), html)
    expect(state.slept).toEqual([2000, 2000, 2000])
    state.now += 86_400_000
    await get(site.at('anime.test', '/3'), html)
    expect(site.asked.at(-2)?.path).toBe('/robots.txt')
  })

  test('asks whether a document has changed', async () => {
    const { get } = fetching()
    const first = await get(site.at('anime.test', '/dated'), html)
    expect(first?.etag).toBe('"a"')
    expect(await get(site.at('anime.test', '/dated'), { ...html, known: first })).toBeUndefined()
  })

  test('cancels running requests when stopped, and refuses new ones', async () => {
    const { get, stop } = fetching()
    const running = get(site.at('anime.test', '/hangs'), html).catch((cause) => cause.why)
    while (site.asked.at(-1)?.path !== '/hangs') await new Promise(setImmediate)
    stop()
    expect(await running).toBe('stopping')
    expect(await get(site.at('anime.test'), html).catch((cause) => cause.why)).toBe('stopping')
  })
})

test.each([
  ['', false],
  ['User-agent: *\nDisallow: /', true],
  ['User-agent: *\nDisallow:', false],
  ['User-agent: *\nDisallow: /admin', false],
  ['User-agent: other\nDisallow: /', false],
  ['User-agent: other\nUser-agent: *\nDisallow: / # all', true],
  ['user-agent: kiroku\ndisallow: /', true],
  ['User-agent: *\nDisallow: /\n\nUser-agent: kiroku\nDisallow:', false],
  ['User-agent: *\r\nDisallow: /\r\nAllow: /\r\n', false],
])('robots.txt %j', (robots, forbids) => {
  expect(forbidsAll(robots)).toBe(forbids)
})
