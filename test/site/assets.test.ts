import { afterAll, describe, expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'bun'
import { assetPath } from '../../src/pages/assets'
import { createInstance } from '../support/instance'

const kiroku = await createInstance()
const { ask } = kiroku
afterAll(kiroku.close)

const pages = ['/', '/about', '/docs/errors', '/docs', '/docs/oauth2-redirect.html']
const lasting = (['style.css', 'script.js', 'api.css', 'api.js', 'icon.svg'] as const).map(assetPath)
const assets = [...lasting, '/assets/avatar.svg', '/assets/background.svg']
const scripts = [
  '/docs/assets/swagger-ui-bundle.js',
  '/docs/assets/oauth2-redirect.js',
  '/docs/assets/swagger-ui.css',
]

const acceptedEncodings = [
  ...['gzip', 'GZIP', 'deflate, gzip;q=1.0, *;q=0.5', 'br;q=1,gzip;q=0.001'].map(
    (one) => [one, 'gzip'] as const,
  ),
  ...['', 'br', 'gzip;q=0', 'gzip; q=0.000, br', 'x-gzip', 'gzipped'].map((one) => [one, null] as const),
]

/** Requested with an Accept-Encoding: `bytes` is the decoded content, `size` what was sent. */
async function opened(target: string, accepted: string) {
  const response = await ask(target, { headers: { 'accept-encoding': accepted } })
  const sent = Uint8Array.from(await response.bytes())
  const decode = { zstd: zstdDecompressSync, gzip: gunzipSync }[
    response.headers.get('content-encoding') ?? ''
  ]
  return { headers: response.headers, bytes: decode === undefined ? sent : decode(sent), size: sent.length }
}

describe('assets', () => {
  test.each([...assets, ...scripts])('%s may be cached and is never sniffed', async (target) => {
    const { status, headers } = await ask(target)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toMatch(
      lasting.includes(target) ? /^public, max-age=31536000, immutable$/ : /^public, max-age=[1-9]\d*$/,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-type')).toMatch(
      /^(?:text\/(?:css|javascript); charset=utf-8|image\/svg\+xml)$/,
    )
  })

  test.each(scripts)('%s is compressed for clients that accept it, with the same content', async (target) => {
    const plain = await ask(target)
    const packed = await ask(target, { headers: { 'accept-encoding': 'br, gzip' } })
    const [whole, small] = [await plain.bytes(), await packed.bytes()]
    expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([
      null,
      'gzip',
    ])
    for (const { headers } of [plain, packed]) expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(small.length).toBeLessThan(whole.length * 0.6)
    expect(Buffer.compare(gunzipSync(Uint8Array.from(small)), whole)).toBe(0)
    for (const [accepted, encoding] of [['gzip, br, zstd', 'zstd'], ...acceptedEncodings] as const) {
      const { headers, bytes } = await opened(target, accepted)
      expect([accepted, headers.get('content-encoding')]).toEqual([accepted, encoding])
      expect(Buffer.compare(bytes, whole)).toBe(0)
    }
  })

  test.each(assets)('%s is compressed as its reader accepts it, with the same content', async (target) => {
    const whole = await (await ask(target)).bytes()
    for (const [accepted, encoding] of [
      ['gzip, br, zstd', 'zstd'],
      ['zstd;q=0, gzip', 'gzip'],
      ...acceptedEncodings,
    ] as const) {
      const { headers, ...answer } = await opened(target, accepted)
      expect([accepted, headers.get('content-encoding')]).toEqual([accepted, encoding])
      expect(headers.get('vary')).toBe('Accept-Encoding')
      expect(Buffer.compare(answer.bytes, whole)).toBe(0)
    }
  })

  test("an asset's address depends on its content: an earlier one does not exist", async () => {
    for (const target of lasting) {
      expect(target).toMatch(/^\/assets\/[a-z]+-[0-9a-f]{10}\.(?:css|js|svg)$/)
      const other = target.replace(/-[0-9a-f]{10}/, '-0123456789')
      expect([other, (await ask(other)).status]).toEqual([other, 404])
    }
  })

  test('the script is at most 12 KB', async () => {
    const { size } = await opened(assetPath('script.js'), 'gzip')
    expect(size).toBeLessThan(12 * 1024)
  })

  test('pictures run no scripts', async () => {
    for (const target of assets.filter((one) => one.endsWith('.svg'))) {
      expect((await ask(target)).headers.get('content-security-policy')).toStartWith("default-src 'none'; ")
      expect(await (await ask(target)).text()).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
    }
  })
})

test.each(pages)(
  'the page %s is compressed as its reader accepts it, with the same content',
  async (target) => {
    for (const [accepted, encoding] of [
      ['gzip, zstd', 'zstd'],
      ['br, gzip', 'gzip'],
      ['', null],
    ] as const) {
      const { headers, bytes, size } = await opened(target, accepted)
      const text = new TextDecoder().decode(bytes)
      const isSmall = bytes.length < 1024
      expect([target, headers.get('content-encoding')]).toEqual([target, isSmall ? null : encoding])
      expect(text).toStartWith('<!doctype html>')
      if (encoding !== null && !isSmall) expect(size).toBeLessThan(bytes.length * 0.6)
      if (!isSmall) expect(headers.get('vary')).toBe('Accept-Encoding')
    }
  },
)
