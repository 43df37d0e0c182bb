import { afterAll, describe, expect, test } from 'bun:test'
import { endpoints } from '../../src/app'
import { errorsPath, errorTypes } from '../../src/http/errors'
import { createInstance, refusals } from '../support/instance'

const kiroku = await createInstance()
const { ask, get } = kiroku
afterAll(kiroku.close)

const pages = ['/', '/about', errorsPath, '/docs', '/docs/oauth2-redirect.html']
const assets = ['/assets/avatar.svg', '/assets/background.svg']

const textOf = async (target: string) => (await ask(target)).text()
const policyOf = async (target: string) => {
  const policy = (await ask(target)).headers.get('content-security-policy') ?? ''
  return new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]))
}

/** Everything a page loads or sends to, by its markup. */
const targetsOf = (html: string) =>
  [...html.matchAll(/<(?!a\b)[a-z]+[^>]*?\b(?:href|src|action)="([^"]*)"/g)].map(([, target = '']) => target)

describe.each(pages)('the page %s', (target) => {
  test('is HTML that is never cached, framed or sniffed', async () => {
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
    for (const name of ['connect-src', 'style-src', 'manifest-src', 'worker-src'])
      expect(policy.get(name)).toBe("'self'")
    expect(policy.get('img-src')).toBe("'self' data:")
  })

  test('loads only from this instance, and everything exists', async () => {
    const targets = targetsOf(await textOf(target))
    expect(targets.length).toBeGreaterThan(1)
    for (const one of targets) {
      expect(one).toStartWith('/')
      expect([one, (await ask(one)).status]).toEqual([one, 200])
    }
  })

  test('links only to existing pages', async () => {
    const html = await textOf(target)
    for (const [, link = ''] of html.matchAll(/<a\b[^>]*href="(\/[^"]*)"/g)) {
      const { status, headers } = await ask(link, { headers: { accept: 'text/html' } })
      const target = headers.get('location') ?? ''
      const isForMembers = target.startsWith('/sign_in?return_to=')
      const reached = status === 303 && !isForMembers ? (await ask(target)).status : status
      expect([link, isForMembers ? 200 : reached]).toEqual([link, 200])
    }
  })
})

describe('/docs', () => {
  test('names no other host', async () => {
    const html = await textOf('/docs')
    const hosts = [...html.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host)
    expect(hosts.filter((host) => !['localhost', 'www.w3.org'].includes(host ?? ''))).toEqual([])
    expect(html).not.toMatch(/(?:src|href)="\/\//)
  })

  test('runs only its own scripts: each inline one is in its policy by hash, and no others', async () => {
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

  test("reads this instance's document, even with a trailing slash, and contacts no validator", async () => {
    for (const target of ['/docs', '/docs/']) {
      const html = await textOf(target)
      const [, read = ''] = /SwaggerUIBundle\(\{"url":"([^"]*)"/.exec(html) ?? []
      const { pathname } = new URL(read, `http://localhost:3000${target}`)
      expect([target, (await ask(pathname)).status]).toEqual([target, 200])
      expect(html).toInclude('"validatorUrl":"none"')
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

describe('the front page', () => {
  test('says what the instance contains, without hidden things', async () => {
    const html = await textOf('/')
    expect(html).toContain('Works 9 · Episodes 5')
    expect(html).toContain('4 people use it.')
  })
})

test('/livez tells anybody that it is running', async () => {
  const response = await ask('/livez')
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
})

test("no page is at an endpoint's path, and a missing one below them is refused as JSON", async () => {
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

test('a missing page is reported to a browser by a page, to a program by JSON', async () => {
  const page = await ask('/nothing', { headers: { accept: 'text/html,*/*', 'accept-language': 'ja' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('ページが見つかりません')
  expect(await refusals(await ask('/nothing'), 'unknown_route')).toHaveLength(1)
  expect(
    await refusals(await ask('/v1/nothing', { headers: { accept: 'text/html' } }), 'unknown_route'),
  ).toHaveLength(1)
})
