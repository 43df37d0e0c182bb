import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSite, hasChromium, type Site } from './chromium'

let site: Site
beforeAll(async () => {
  if (hasChromium) site = await createSite()
}, 60_000)
afterAll(() => site?.close())

/** Opens a page; what it asked for and what it complained about. */
async function open(path: string) {
  const page = await site.browser.newPage()
  const origins = new Set<string>()
  const complaints: string[] = []
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(site.baseUrl + path, { waitUntil: 'networkidle' })
  return { page, origins: [...origins], complaints }
}

test.skipIf(!hasChromium)(
  'the documentation page draws every endpoint under its own policy, and no request leaves the instance',
  async () => {
    const { page, origins, complaints } = await open('/docs')
    await page.locator('.opblock').first().waitFor()
    expect(await page.locator('.opblock').count()).toBeGreaterThan(9)
    await page.locator('.opblock-summary-control').first().click()
    await page.locator('.opblock-body .execute').first().waitFor()
    expect(await page.locator('.opblock-body input').first().inputValue()).toBe('')
    expect({ origins, complaints }).toEqual({ origins: [site.baseUrl], complaints: [] })
  },
  30_000,
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
  30_000,
)
