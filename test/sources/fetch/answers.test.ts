import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { version } from '../../../src/version'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'
import { fetching, refusal } from '../../support/source-fetch'
import { createWebSite } from '../../support/web-site'

const content = '<titles>けいおん！</titles>'

const packers: Record<string, (text: string) => Uint8Array> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
}

const xml = { 'content-type': 'text/xml; charset=utf-8' }

const site = createWebSite(async (path, request) => {
  const packer = packers[path.slice('/api/'.length)]
  if (packer !== undefined)
    return new Response(packer(content).slice(), {
      headers: { ...xml, 'content-encoding': path.slice('/api/'.length) },
    })
  if (path === '/api/dated')
    return request.headers.get('if-none-match') === '"a"'
      ? new Response(null, { status: 304 })
      : new Response(content, { headers: { ...xml, etag: '"a"', 'last-modified': 'yesterday' } })
  if (path === '/api/unmodified') return new Response(null, { status: 304 })
  if (path === '/api/page')
    return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
  if (path === '/api/untyped') return new Response(new TextEncoder().encode(content))
  if (path === '/api/post') return new Response(await request.text(), { headers: xml })
  const status = Number(path.slice('/api/'.length))
  return status > 0 ? new Response('', { status }) : new Response(content, { headers: xml })
})

let store: CatalogueStore
const folder = mkdtempSync(join(tmpdir(), 'kiroku-source-'))
beforeAll(async () => {
  store = await catalogueStore()
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/data.json'), content)
})
beforeEach(() => {
  store.handle.run('delete from source_hosts')
  site.asked.length = 0
})
afterAll(() => {
  store.close()
  rmSync(folder, { recursive: true })
  return site.stop()
})

const base = `http://127.0.0.1:${site.port}/api/`
const api = (contact?: string) => fetching({ store, base, ...(contact && { contact }) })

describe('a request', () => {
  test('says who sends it and what it accepts, and no more', async () => {
    const answer = await api().ask('https://api.example/db.php?a=1&b=%E3%81%82#c')
    expect(answer).toEqual({ kind: 'answer', bytes: 32, etag: null, lastModified: null, text: content })
    const [asked] = site.asked
    expect(asked?.path).toBe('/api/db.php?a=1&b=%E3%81%82')
    expect(Object.fromEntries(asked?.headers ?? [])).toEqual({
      accept: 'text/xml',
      'accept-encoding': 'gzip, deflate, br, zstd',
      host: `127.0.0.1:${site.port}`,
      'user-agent': `kiroku/${version} (+https://log.example)`,
    })
  })

  test("includes the administrator's contact", async () => {
    await api('mio@example.com').ask('https://api.example/')
    expect(site.asked[0]?.headers.get('user-agent')).toBe(
      `kiroku/${version} (+https://log.example; mio@example.com)`,
    )
  })

  test('from an instance at a loopback address contains no address', async () => {
    await fetching({ store, base, baseUrl: 'http://localhost:3000' }).ask('https://api.example/')
    expect(site.asked[0]?.headers.get('user-agent')).toBe(`kiroku/${version}`)
  })

  test('can be a POST of JSON with a token', async () => {
    const { text } = await api().ask('https://api.example/post', {
      json: { query: '{ viewer }' },
      hasToken: true,
      token: 'secret',
      validators: { etag: '"a"', lastModified: null },
    })
    expect(text).toBe('{"query":"{ viewer }"}')
    const headers = site.asked[0]?.headers
    expect(headers?.get('content-type')).toBe('application/json')
    expect(headers?.get('authorization')).toBe('Bearer secret')
    expect(headers?.get('if-none-match')).toBeNull()
  })

  test('is sent without a token that is not needed, and not without one that is', async () => {
    await api().ask('https://api.example/', { token: 'secret' })
    expect(site.asked[0]?.headers.get('authorization')).toBeNull()
    for (const token of [null, '', 'two words', 'line\nfeed', '秘密'])
      expect(await refusal(api().ask('https://api.example/', { hasToken: true, token }))).toBe(
        'not_configured: needs a token',
      )
    expect(site.asked).toHaveLength(1)
  })
})

describe('an answer', () => {
  test.each(Object.keys(packers))('is decompressed from %s', async (encoding) => {
    const { text } = await api().ask(`https://api.example/${encoding}`)
    expect(text).toBe(content)
  })

  test('is not sent again while it is unmodified', async () => {
    const first = await api().ask('https://api.example/dated')
    expect(first).toMatchObject({ etag: '"a"', lastModified: 'yesterday' })
    const validators = { etag: '"a"', lastModified: 'yesterday' }
    expect(await api().ask('https://api.example/dated', { validators })).toEqual({
      kind: 'unmodified',
      text: '',
    })
    expect(site.asked[1]?.headers.get('if-modified-since')).toBe('yesterday')
    expect(await api().ask('https://api.example/dated', { validators, isUnconditional: true })).toMatchObject(
      {
        kind: 'answer',
      },
    )
  })

  test.each([
    ['page', 'not_understood: the answer is text/html, not text/xml'],
    ['untyped', 'not_understood: the answer is application/octet-stream, not text/xml'],
    ['unmodified', 'not_understood: status 304'],
    ['206', 'not_understood: status 206'],
    ['404', 'refused: status 404'],
    ['401', 'refused: status 401'],
    ['500', 'unreachable: status 500'],
  ])('%s is not taken', async (path, expected) => {
    expect(await refusal(api().ask(`https://api.example/${path}`))).toBe(expected)
  })

  test('that rejects the token says to set another', async () => {
    const asked = api().ask('https://api.example/401', { hasToken: true, token: 'secret' })
    expect(await refusal(asked)).toBe('not_configured: status 401: the token is not accepted')
  })

  test('without a type may be any file', async () => {
    const { text } = await api().ask('https://api.example/untyped', { accept: ['application/octet-stream'] })
    expect(text).toBe(content)
  })
})

describe('a location on this machine', () => {
  const local = () => fetching({ store, source: { hosts: [], maxBytes: 32 } })
  const file = join(folder, 'dist/data.json')

  test.each([
    ['a folder', folder, 'dist/data.json'],
    ['a folder with a key', `${folder}#ed25519=abc`, 'dist/data.json'],
    ['a folder by URL', pathToFileURL(folder).href, 'dist/data.json'],
    ['a file', file, ''],
    ['a file by URL', pathToFileURL(file).href, ''],
  ])('can be %s', async (_, location, url) => {
    const answer = await local().ask(url, { location })
    expect(answer).toEqual({ kind: 'answer', bytes: 32, etag: null, lastModified: null, text: content })
  })

  test.each([
    ['a folder where a file is wanted', folder, '', `not_configured: ${folder} is no file`],
    ['a device', '/dev/zero', '', 'not_configured: /dev/zero is no file'],
    ['what is not there', folder, 'gone', `not_configured: cannot read ${folder}/gone: ENOENT`],
    ['what is outside', join(folder, 'dist'), '../secret', 'refused: a file outside the location'],
    [
      'a file of another machine',
      'file://other/data',
      '',
      'not_configured: the location is no file of this machine',
    ],
    ['no location', null, 'data.json', 'not_configured: no location is set'],
  ])('is not %s', async (_, location, url, expected) => {
    expect(await refusal(local().ask(url, { location }))).toBe(expected)
  })

  test('may not contain more than the source may send', async () => {
    const { ask } = fetching({ store, source: { maxBytes: 31 } })
    expect(await refusal(ask('', { location: file }))).toBe('refused: larger than 31 bytes')
  })
})
