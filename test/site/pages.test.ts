import { afterAll, describe, expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'bun'
import { endpoints } from '../../src/app'
import { errorsPath, errorTypes } from '../../src/http/errors'
import { assetPath } from '../../src/pages/assets'
import { createInstance, refusals } from '../support/instance'

const kiroku = await createInstance()
const { ask, get } = kiroku
afterAll(kiroku.close)

const pages = ['/', '/about', errorsPath, '/docs', '/docs/oauth2-redirect.html']
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

/** Asked with an Accept-Encoding: `bytes` is what it decodes to, `size` what was sent. */
async function opened(target: string, accepted: string) {
  const response = await ask(target, { headers: { 'accept-encoding': accepted } })
  const sent = Uint8Array.from(await response.bytes())
  const decode = { zstd: zstdDecompressSync, gzip: gunzipSync }[
    response.headers.get('content-encoding') ?? ''
  ]
  return { headers: response.headers, bytes: decode === undefined ? sent : decode(sent), size: sent.length }
}

const textOf = async (target: string) => (await ask(target)).text()
const policyOf = async (target: string) => {
  const policy = (await ask(target)).headers.get('content-security-policy') ?? ''
  return new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]))
}

/** Everything a page loads or sends to, by its markup. */
const targetsOf = (html: string) =>
  [...html.matchAll(/<(?!a\b)[a-z]+[^>]*?\b(?:href|src|action)="([^"]*)"/g)].map(([, target = '']) => target)

describe.each(pages)('the page %s', (target) => {
  test('is HTML that is never kept, framed or sniffed', async () => {
    const { status, headers } = await ask(target)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers.has('access-control-allow-origin')).toBe(false)
    expect(headers.has('set-cookie')).toBe(false)
  })

  test('allows nothing that it does not need', async () => {
    const policy = await policyOf(target)
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe|https?:|\*/)
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect(policy.get('base-uri')).toBe("'none'")
    expect(policy.get('script-src')).toStartWith("'self'")
    for (const name of ['connect-src', 'style-src', 'manifest-src']) expect(policy.get(name)).toBe("'self'")
    expect(policy.get('img-src')).toBe("'self' data:")
  })

  test('loads only from this instance, and all of it is there', async () => {
    const targets = targetsOf(await textOf(target))
    expect(targets.length).toBeGreaterThan(1)
    for (const one of targets) {
      expect(one).toStartWith('/')
      expect([one, (await ask(one)).status]).toEqual([one, 200])
    }
  })

  test('links to pages that are there', async () => {
    const html = await textOf(target)
    for (const [, link = ''] of html.matchAll(/<a\b[^>]*href="(\/[^"]*)"/g)) {
      const { status, headers } = await ask(link)
      const isForMembers = headers.get('location')?.startsWith('/sign_in?return_to=') ?? false
      expect([link, isForMembers ? 200 : status]).toEqual([link, 200])
    }
  })
})

test.each(pages)('the page %s is compressed as its reader takes it, and the same', async (target) => {
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
})

describe('/docs', () => {
  test('names no other host', async () => {
    const html = await textOf('/docs')
    const hosts = [...html.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host)
    expect(hosts.filter((host) => !['localhost', 'www.w3.org'].includes(host ?? ''))).toEqual([])
    expect(html).not.toMatch(/(?:src|href)="\/\//)
  })

  test('runs its own scripts only: each inline one is in its policy by hash, and no other', async () => {
    const [html, policy] = [await textOf('/docs'), await policyOf('/docs')]
    const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
    const hashes = inline.map((script) => {
      return `'sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}'`
    })
    expect(inline.length).toBeGreaterThan(0)
    expect(policy.get('script-src')?.split(' ')).toEqual(["'self'", ...hashes])
    expect(policy.get('connect-src')).toBe("'self'")
    expect(html).not.toMatch(/ on[a-z]+="/)
  })

  test('reads the document of this instance, with a slash at its end too, and asks no validator', async () => {
    for (const target of ['/docs', '/docs/']) {
      const html = await textOf(target)
      const [, read = ''] = /SwaggerUIBundle\(\{"url":"([^"]*)"/.exec(html) ?? []
      const { pathname } = new URL(read, `http://localhost:3000${target}`)
      expect([target, (await ask(pathname)).status]).toEqual([target, 200])
      expect(html).toInclude('"validatorUrl":"none"')
    }
  })
})

describe('assets', () => {
  test.each([...assets, ...scripts])('%s may be kept and is never sniffed', async (target) => {
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

  test.each(scripts)('%s is compressed for those who take it so, and the same', async (target) => {
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
    for (const [accepted, encoding] of acceptedEncodings) {
      const { headers } = await ask(target, { headers: { 'accept-encoding': accepted } })
      expect([accepted, headers.get('content-encoding')]).toEqual([accepted, encoding])
    }
  })

  test.each(assets)('%s is compressed as its reader takes it, and the same', async (target) => {
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

  test('the address of one says what it holds: an earlier one is not there', async () => {
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

  test('pictures run no script', async () => {
    for (const target of assets.filter((one) => one.endsWith('.svg'))) {
      expect((await policyOf(target)).get('default-src')).toBe("'none'")
      expect(await textOf(target)).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
    }
  })
})

describe('errors', () => {
  test.each(Object.entries(errorTypes))(
    '%s is explained where its url points',
    async (type, { status, meaning }) => {
      const html = await textOf(errorsPath)
      expect(html.split(`id="${type}"`)).toHaveLength(2)
      const section = html.slice(html.indexOf(`id="${type}"`)).split('</section>', 1)[0] ?? ''
      expect(section).toInclude(`<small>${status}</small>`)
      expect(section).toInclude(Bun.escapeHTML(meaning).slice(0, 20))
    },
  )

  test('the url of a real one is such a section', async () => {
    const answers = [await ask('/v1/works'), await get('/v1/works?page=0'), await ask('/v1/x')]
    for (const answer of answers) {
      const [error] = ((await answer.json()) as { errors: { type: string; url: string }[] }).errors
      const { pathname, hash, origin } = new URL(error?.url ?? '')
      expect(origin).toBe('http://localhost:3000')
      expect(await textOf(pathname)).toInclude(`id="${hash.slice(1)}"`)
    }
  })
})

describe('the first page', () => {
  test('tells what the instance holds, hidden things left out', async () => {
    const html = await textOf('/')
    const figures = [...html.matchAll(/<dt>(\w+)<\/dt><dd>([\d,]+)<\/dd>/g)].map(([, name, n]) => [name, n])
    expect(figures).toEqual([
      ['Works', '9'],
      ['Episodes', '5'],
      ['Users', '4'],
    ])
  })
})

test('/livez says that it lives, to anybody', async () => {
  const response = await ask('/livez')
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
})

test('no page stands where an endpoint is, and a missing page is refused as JSON', async () => {
  for (const { path } of endpoints) expect([...pages, ...assets]).not.toContain(path)
  for (const target of [
    '/nothing',
    '/docs/nothing',
    '/assets/../package.json',
    '/assets/',
    '/docs/assets/x.js',
    '/.env',
  ]) {
    await refusals(await ask(target), 'unknown_route')
  }
})

test('a browser that asks for a page that is not there is told so by a page, a program by JSON', async () => {
  const page = await ask('/nothing', { headers: { accept: 'text/html,*/*', 'accept-language': 'ja' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('ページが見つかりません')
  expect(await refusals(await ask('/nothing'), 'unknown_route')).toHaveLength(1)
  expect(
    await refusals(await ask('/v1/nothing', { headers: { accept: 'text/html' } }), 'unknown_route'),
  ).toHaveLength(1)
})
