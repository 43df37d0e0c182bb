import { afterAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance, refusals } from '../support/instance'

test('HSTS is sent only if the base URL is https', async () => {
  const secure = await createInstance({ config: { baseUrl: 'https://log.example.org' } })
  const plain = await createInstance()
  for (const target of ['/', '/v1/works', '/nothing', '/openapi.json']) {
    expect((await secure.ask(target)).headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect((await plain.ask(target)).headers.has('strict-transport-security')).toBe(false)
  }
  await secure.close()
  await plain.close()
})

describe('a base URL with a path (D54)', async () => {
  const baseUrl = 'https://example.org/log'
  const below = await createInstance({ config: { baseUrl } })
  afterAll(below.close)

  test.each([
    '/v1/works?per_page=2',
    '/v1/users',
    '/',
    '/docs',
    '/openapi.json',
    '/livez',
    '/assets/avatar.svg',
  ])('%s is served with the path and without, alike', async (target) => {
    const [bare, prefixed] = [await below.get(target), await below.get(`/log${target}`)]
    expect([bare.status, prefixed.status]).toEqual([200, 200])
    expect(await prefixed.text()).toBe(await bare.text())
  })

  test('the path itself is the front page; other paths that begin alike are not', async () => {
    for (const target of ['/log', '/log/', '/log?x=1']) expect((await below.ask(target)).status).toBe(200)
    for (const target of ['/logs', '/log-v1/works', '/log/log/v1/works', '/logv1/works']) {
      await refusals(await below.get(target), 'unknown_route', baseUrl)
    }
  })

  test('methods, preflight, headers and refusals are those of the path without it', async () => {
    const preflight = await below.ask('/log/v1/works', { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const deleted = await below.ask('/log/v1/works', { method: 'DELETE' })
    expect(deleted.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    await refusals(deleted, 'method_not_allowed', baseUrl)
    await refusals(await below.get('/log/v1/works?page=0'), 'invalid_params', baseUrl)
  })

  test('every link starts with it', async () => {
    const { users } = (await (await below.get('/log/v1/users?filter_ids=1')).json()) as Body
    expect(users[0].avatar_url).toBe(`${baseUrl}/assets/avatar.svg`)
    expect(((await (await below.ask('/openapi.json')).json()) as Body).servers).toEqual([{ url: baseUrl }])
    for (const page of ['/', '/about', '/docs', '/docs/errors']) {
      const links = [...(await (await below.ask(page)).text()).matchAll(/(?:href|src)="(\/[^"]*)"/g)]
      expect(links.length).toBeGreaterThan(0)
      for (const [, link = ''] of links) {
        expect(link).toStartWith('/log/')
        const { status, headers } = await below.ask(link, { headers: { accept: 'text/html' } })
        const location = headers.get('location') ?? ''
        expect([link, status]).toEqual([link, location === '' ? 200 : 303])
        if (location !== '') expect(location).toMatch(/^\/log\/(?:sign_in\?return_to=|seasons\/)/)
      }
    }
  })
})
