import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { targetOf } from '../../../src/sources/fetch/target'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'
import { fetching, madeUp, refusal } from '../../support/source-fetch'
import { createWebSite } from '../../support/web-site'

const other = createWebSite(() => new Response('stolen', { headers: { 'content-type': 'text/xml' } }))
const to = (location: string, status = 302) => new Response(null, { status, headers: { location } })
const site = createWebSite((path) => {
  if (path.startsWith('/hop/')) return to(path === '/hop/0' ? '/there' : `/hop/${Number(path.slice(5)) - 1}`)
  if (path === '/elsewhere') return to(other.at('127.0.0.1', '/data'))
  if (path === '/by-name') return to(`http://localhost:${site.port}/there`)
  if (path === '/declared') return to('https://api.example/there')
  if (path === '/file') return to('file:///etc/passwd')
  if (path === '/password') return to(`http://mio:secret@127.0.0.1:${site.port}/there`)
  if (path === '/nowhere') return to('http://')
  if (path === '/post') return to('/there', 307)
  return new Response('here', { headers: { 'content-type': 'text/xml' } })
})

let store: CatalogueStore
beforeAll(async () => {
  store = await catalogueStore()
})
beforeEach(() => {
  store.handle.run('delete from source_hosts')
  site.asked.length = 0
})
afterAll(async () => {
  store.close()
  await Promise.all([site.stop(), other.stop()])
})

const local = () => fetching({ store, base: site.at('127.0.0.1') })
const at = (path: string) => `https://api.example${path}`

describe('a redirect', () => {
  test("is followed within the host, each step at the source's pace", async () => {
    const { ask, state } = local()
    expect((await ask(at('/hop/4'))).text).toBe('here')
    expect(state.slept).toEqual([1000, 1000, 1000, 1000, 1000])
  })

  test.each([
    ['/hop/5', 'too many redirects'],
    ['/elsewhere', `redirects to http://127.0.0.1:${other.port}, which is not a declared host`],
    ['/by-name', `redirects to http://localhost:${site.port}, which is not a declared host`],
    ['/declared', 'redirects to https://api.example, which is not a declared host'],
    ['/file', 'redirects to null, which is not a declared host'],
    ['/password', 'a name or password in the address'],
    ['/nowhere', 'no address'],
  ])('%s is refused', async (path, why) => {
    expect(await refusal(local().ask(at(path)))).toBe(`refused: ${why}`)
    expect(other.asked).toEqual([])
  })

  test('of a POST is refused', async () => {
    const asked = refusal(local().ask(at('/post'), { json: {} }))
    expect(await asked).toBe('refused: redirects a POST, which would be lost')
    expect(site.asked).toHaveLength(1)
  })
})

describe('without a local server in its place, a source is not contacted', () => {
  test.each([
    ['by http', 'http://api.example/', 'http://api.example, which is not a declared host'],
    [
      'at another port',
      'https://api.example:8443/',
      'https://api.example:8443, which is not a declared host',
    ],
    ['at another host', 'https://example/', 'https://example, which is not a declared host'],
    ['below its host', 'https://a.api.example/', 'https://a.api.example, which is not a declared host'],
    ['for a file', 'file:///etc/passwd', 'null, which is not a declared host'],
    ['with a password', 'https://a:b@api.example/', 'a name or password in the address'],
  ])('%s', async (_, url, why) => {
    expect(await refusal(fetching({ store }).ask(url))).toBe(`refused: ${why}`)
  })

  test.each([['10.0.0.1'], ['127.0.0.1'], ['169.254.169.254'], ['fd00::1'], ['203.0.113.1 192.168.0.1']])(
    'at a private address such as %s',
    async (addresses) => {
      const outside = {
        resolve: async () => addresses.split(' '),
        mayReach: (one: string) => one === '203.0.113.1',
      }
      const asked = refusal(fetching({ store, outside }).ask(at('/')))
      expect(await asked).toBe('refused: api.example: not a public address')
    },
  )

  test('if its host is unknown', async () => {
    const outside = { resolve: () => Promise.reject(new Error('ENOTFOUND')) }
    expect(await refusal(fetching({ store, outside }).ask(at('/')))).toBe(
      'unreachable: api.example: unknown host',
    )
  })
})

describe('a local server in its place', () => {
  test.each([
    'http://10.0.0.1/',
    'http://api.example/',
    'ftp://127.0.0.1/',
    'http://a:b@127.0.0.1/',
    'nothing',
  ])('is not %s', async (base) => {
    expect(await refusal(fetching({ store, base }).ask(at('/')))).toBe(
      'not_configured: KIROKU_CATALOGUE_SOURCE_URL_… must be https, or http on this machine',
    )
  })

  test('does not replace an undeclared host', async () => {
    const asked = refusal(local().ask('https://other.example/'))
    expect(await asked).toBe('refused: https://other.example, which is not a declared host')
  })
})

describe('a location on the web', () => {
  const targetAt = (location: string, url: string) => {
    const target = targetOf(madeUp(), { url, as: 'answer', accept: [] }, location, {})
    if ('path' in target) throw new Error(target.path)
    return target
  }

  test.each([
    ['https://packs.example/a', 'b.json?c', 'https://packs.example/a/b.json?c'],
    ['https://packs.example/a/', 'b.json', 'https://packs.example/a/b.json'],
    ['https://packs.example/a/b.json#key', '', 'https://packs.example/a/b.json'],
    ['https://packs.example/a', 'https://api.example/c', 'https://api.example/c'],
  ])('%s is contacted besides the declared hosts', (location, url, expected) => {
    const { url: reached, origins, tokenOrigin } = targetAt(location, url)
    expect(reached.href).toBe(expected)
    expect([...origins]).toEqual(['https://api.example', 'https://packs.example'])
    expect(tokenOrigin).toBe(url === expected ? 'https://api.example' : undefined)
  })

  test('must be https', () => {
    expect(() => targetAt('http://packs.example/', 'a')).toThrow('the location must be https')
  })

  test('cannot be left by a relative address', () => {
    expect(() => targetAt('https://packs.example/a', '//evil.example/a')).toThrow('not a declared host')
  })
})
