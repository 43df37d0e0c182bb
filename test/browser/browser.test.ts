import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { cookieName } from '../../src/web/cookies'
import { createSite, drawOnly, hasChromium, type Site } from '../support/chromium'
import { registerClient } from '../support/oauth'
import { createMember } from '../support/visitor'

let site: Site
beforeAll(async () => {
  if (hasChromium) site = await createSite()
}, 60_000)
afterAll(() => site?.close())

/** Opens a page; returns its requests and its complaints. */
async function open(path: string, prepare: (page: Page) => Promise<unknown> = async () => {}) {
  const page = await site.browser.newPage()
  await prepare(page)
  const origins = new Set<string>()
  const complaints: string[] = []
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(site.baseUrl + path, { waitUntil: 'networkidle' })
  return { page, origins: [...origins], complaints }
}

test.skipIf(!hasChromium)(
  'an application registered for it gets access from the documentation page, which then uses its token',
  async () => {
    const { instance, baseUrl } = site
    const redirectUris = [`${baseUrl}/docs/oauth2-redirect.html`]
    const client = await registerClient(instance, { redirectUris, scope: 'read' })
    const { page, complaints } = await open('/docs', (page) =>
      drawOnly(page, ({ path }) => path === '/v1/me'),
    )
    const name = cookieName('sid', baseUrl)
    const value = (await createMember(instance, 'mio')).cookies.get(name) ?? ''
    await page.context().addCookies([{ name, value, url: baseUrl }])
    await page.locator('.btn.authorize').click()
    await page.fill('#client_id_authorizationCode', client.uid)
    await page.fill('#client_secret_authorizationCode', client.secret)
    await page.locator('label[for^="read-authorizationCode"]').first().click()
    const opened = page.waitForEvent('popup')
    await page.locator('.auth-container', { hasText: 'oauth2' }).locator('.authorize').click()
    const consent = await opened
    await consent.click('button[value=approve]')
    await page.locator('.auth-container', { hasText: 'oauth2' }).getByText('Logout').waitFor()
    await page.locator('.btn-done').first().click()
    await page.locator('[id$=getMe] .opblock-summary-control').click()
    await page.locator('[id$=getMe] .execute').click()
    await page.locator('[id$=getMe] .live-responses-table .response-col_status', { hasText: '200' }).waitFor()
    expect(complaints).toEqual([])
  },
  60_000,
)

test.skipIf(!hasChromium).each(['/', '/about', '/docs/errors'])(
  '%s is drawn with its style, within the width of a phone',
  async (path) => {
    const { page, origins, complaints } = await open(path)
    await page.setViewportSize({ width: 360, height: 720 })
    const width = await page.evaluate('document.documentElement.scrollWidth')
    const font = await page.evaluate('getComputedStyle(document.body).fontFamily')
    expect({ width, origins, complaints }).toEqual({
      width: 360,
      origins: [site.baseUrl],
      complaints: [],
    })
    expect(font).toContain('system-ui')
  },
)
