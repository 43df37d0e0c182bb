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

/** A page's requests and complaints. */
function listen(page: Page) {
  const origins = new Set<string>()
  const complaints: string[] = []
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { origins, complaints }
}

/** How many operations the API's document has. */
async function countOperations(): Promise<number> {
  const { paths } = await site.instance.json('/openapi.json')
  return Object.values<object>(paths).flatMap((path) => Object.keys(path)).length
}

test.skipIf(!hasChromium)(
  'the API documentation renders every endpoint under its own policy, contacts only the instance, has our header, the reader’s language and colours, and stays accessible whatever is opened',
  async () => {
    const { cookies } = await createMember(site.instance, 'mio')
    const session = cookies.get(cookieName('sid', site.baseUrl)) ?? ''
    await Promise.all(looks.map((look) => readDocumentation(look, session)))
  },
  180_000,
)

/** The smallest operation of each method, and for most methods another one, which stays closed. */
const drawn = [
  'get /v1/me/channels',
  'get /v1/series',
  'post /v1/me/likes',
  'post /v1/me/laps',
  'patch /v1/me/viewings/{id}',
  'delete /v1/me/records/{id}',
  'delete /v1/me/reviews/{id}',
]

async function readDocumentation(look: BrowserContextOptions, session: string): Promise<void> {
  const isFirst = look === looks[0]
  const rules = isFirst ? undefined : rulesOfLooks
  const problems = async (page: Page, within?: string) => [
    ...(await findings(page, rules, { within })),
    ...(await layoutProblems(page)),
  ]

  const context = await site.browser.newContext(look)
  await context.addCookies([{ name: cookieName('sid', site.baseUrl), value: session, url: site.baseUrl }])
  const page = await context.newPage()
  const { origins, complaints } = listen(page)
  if (isFirst) await drawAll(page)
  // Swagger UI takes seconds to render all operations, and one second to open a large one.
  await drawOnly(page, ({ method, path }) => drawn.includes(`${method} ${path}`))
  await page.goto(`${site.baseUrl}/docs`)
  await page.locator('.opblock').first().waitFor()
  expect(await page.textContent('body > header .entries a')).toBe('mio')
  expect(await page.getAttribute('html', 'lang')).toBe(String(look.locale))
  expect(await page.textContent('h1')).toBe(look.locale === 'ja' ? 'API ドキュメント' : 'API documentation')
  expect(await page.getAttribute('#swagger-ui', 'lang')).toBe('en')
  const ground = await page.evaluate("getComputedStyle(document.querySelector('body')).backgroundColor")
  expect(ground).toBe(look.colorScheme === 'dark' ? 'rgb(23, 24, 26)' : 'rgb(253, 252, 250)')
  expect(await page.locator('html.dark-mode').count()).toBe(look.colorScheme === 'dark' ? 1 : 0)
  for (const method of isFirst ? ['get', 'post', 'patch', 'delete'] : ['get', 'post', 'delete'])
    await page.locator(`.opblock-${method} .opblock-summary-control`).first().click()
  await page.locator('.opblock-delete .opblock-body .execute').waitFor()
  expect(await page.locator('.opblock-get .opblock-body input').first().inputValue()).toBe('')
  expect(complaints).toEqual([])
  await page.locator('.opblock-get .execute').first().click()
  await page.locator('.live-responses-table').first().waitFor()
  expect(await problems(page)).toEqual([])
  await page.locator('.btn.authorize').first().click()
  await page.locator('[role=dialog] .auth-container').first().waitFor()
  expect(await problems(page, '[role=dialog]')).toEqual([])
  expect([...origins]).toEqual([site.baseUrl])
  await context.close()
}

async function drawAll(page: Page): Promise<void> {
  await page.goto(`${site.baseUrl}/docs`)
  await page.locator('.opblock').first().waitFor()
  expect(await page.locator('.opblock').count()).toBe(await countOperations())
  expect(await layoutProblems(page)).toEqual([])
}
