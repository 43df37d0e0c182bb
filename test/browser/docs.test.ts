import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { cookieName } from '../../src/web/cookies'
import { createSite, drawOnly, hasChromium, looks, type Site } from '../support/chromium'
import { findings, layoutProblems, rulesOfLooks } from '../support/findings'
import { createMember } from '../support/visitor'

let site: Site
beforeAll(async () => {
  if (hasChromium) site = await createSite()
}, 60_000)
afterAll(() => site?.close())

/** What a page asks, and what it complains about. */
function listen(page: Page) {
  const origins = new Set<string>()
  const complaints: string[] = []
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { origins, complaints }
}

/** How many operations the document of the API tells of. */
async function countOperations(): Promise<number> {
  const { paths } = await site.instance.json('/openapi.json')
  return Object.values<object>(paths).flatMap((path) => Object.keys(path)).length
}

test.skipIf(!hasChromium)(
  'the documentation of the API draws every endpoint under its own policy, asks nobody but the instance, has our header, the reader’s language and side, and keeps nobody out, whatever is opened',
  async () => {
    const { cookies } = await createMember(site.instance, 'mio')
    const session = cookies.get(cookieName('sid', site.baseUrl)) ?? ''
    await Promise.all(looks.map((look) => readDocumentation(look, session)))
  },
  180_000,
)

async function readDocumentation(look: BrowserContextOptions, session: string): Promise<void> {
  const rules = look === looks[0] ? undefined : rulesOfLooks
  const problems = async (page: Page) => [...(await findings(page, rules)), ...(await layoutProblems(page))]

  const context = await site.browser.newContext(look)
  await context.addCookies([{ name: cookieName('sid', site.baseUrl), value: session, url: site.baseUrl }])
  const page = await context.newPage()
  const { origins, complaints } = listen(page)
  await page.goto(`${site.baseUrl}/docs`)
  await page.locator('.opblock').first().waitFor()
  expect(await page.locator('.opblock').count()).toBe(await countOperations())
  expect(await page.textContent('body > header .entries a')).toBe('mio')
  expect(await page.getAttribute('html', 'lang')).toBe(String(look.locale))
  expect(await page.textContent('h1')).toBe(look.locale === 'ja' ? 'API ドキュメント' : 'API documentation')
  expect(await page.getAttribute('#swagger-ui', 'lang')).toBe('en')
  const ground = await page.evaluate("getComputedStyle(document.querySelector('body')).backgroundColor")
  expect(ground).toBe(look.colorScheme === 'dark' ? 'rgb(23, 24, 26)' : 'rgb(253, 252, 250)')
  expect(await page.locator('html.dark-mode').count()).toBe(look.colorScheme === 'dark' ? 1 : 0)
  expect(await problems(page)).toEqual([])
  // Swagger UI takes a second to open one of many operations.
  const methods = new Set<string>()
  await drawOnly(page, ({ method }) => methods.size < methods.add(method).size)
  await page.reload()
  for (const method of ['get', 'post', 'patch', 'delete'])
    await page.locator(`.opblock-${method} .opblock-summary-control`).first().click()
  await page.locator('.opblock-delete .opblock-body .execute').waitFor()
  expect(await page.locator('.opblock-get .opblock-body input').first().inputValue()).toBe('')
  expect(complaints).toEqual([])
  await page.locator('.opblock-get .execute').first().click()
  await page.locator('.live-responses-table').first().waitFor()
  expect(await problems(page)).toEqual([])
  await page.locator('.btn.authorize').first().click()
  await page.locator('[role=dialog] .auth-container').first().waitFor()
  expect(await problems(page)).toEqual([])
  expect([...origins]).toEqual([site.baseUrl])
  await context.close()
}
