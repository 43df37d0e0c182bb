import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { authorizeUrl, registerClient } from '../support/oauth'
import { createMember } from '../support/visitor'

let site: Site
let client: Bun.Server<undefined>
let page: Page

beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  page = await site.browser.newPage()
  const { cookies } = await createMember(site.instance, 'mio')
  for (const [name, value] of cookies) await page.context().addCookies([{ name, value, url: site.baseUrl }])
  client = Bun.serve({ port: 0, hostname: '::', fetch: () => new Response('welcome back') })
}, 60_000)

afterAll(async () => {
  await client?.stop(true)
  await site?.close()
})

/** Opens the consent page as `mio`, for an application at a host of this machine. */
async function openConsent(host: string) {
  const redirectUri = `http://${host}:${client.port}/callback`
  const application = await registerClient(site.instance, { redirectUris: [`http://${host}/callback`] })
  const target = authorizeUrl({ ...application, redirectUri }, { state: 'a b+c' })
  await page.goto(site.baseUrl + target)
  return redirectUri
}

test.skipIf(!hasChromium).each([
  ['127.0.0.1', 'approve', 'code'],
  ['localhost', 'approve', 'code'],
  ['[::1]', 'approve', 'code'],
  ['127.0.0.1', 'deny', 'error'],
])('§2.4: a browser follows consent to an application at %s: %s', async (host, decision, parameter) => {
  const redirectUri = await openConsent(host)
  await page.locator(`button[value="${decision}"]`).click()
  await page.waitForURL((url) => url.pathname === '/callback')
  const url = new URL(page.url())
  expect(`${url.origin}${url.pathname}`).toBe(redirectUri)
  expect(url.searchParams.get('state')).toBe('a b+c')
  expect(url.searchParams.has(parameter)).toBe(true)
  expect(await page.textContent('body')).toBe('welcome back')
  expect(await page.evaluate('document.referrer')).toBe('')
})
