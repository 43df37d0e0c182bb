import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { routes } from '../src/app'
import { cookieName } from '../src/web/cookies'
import { createSite, findings, hasChromium, layoutProblems, looks, type Site } from './chromium'
import { createMember } from './visitor'

/** Pages whose paths have parameters, or that show more with a query. */
const samples: Readonly<Record<string, readonly string[]>> = {
  '/sign_in': ['/sign_in?return_to=%2Fsettings'],
}

/** What is no page: answers of programs. */
const programs = ['/livez', '/readyz']

let site: Site
beforeAll(async () => {
  if (hasChromium) site = await createSite()
}, 60_000)
afterAll(() => site?.close())

async function contextsOf(username: string | undefined): Promise<BrowserContext[]> {
  const { instance, baseUrl, browser } = site
  const contexts = await Promise.all(looks.map((look) => browser.newContext(look)))
  if (username === undefined) return contexts
  const name = cookieName('sid', baseUrl)
  for (const context of contexts) {
    const value = (await createMember(instance, username)).cookies.get(name) ?? ''
    await context.addCookies([{ name, value, url: baseUrl }])
  }
  return contexts
}

/** Opens a page; what is wrong with it. */
async function look(page: Page, target: string) {
  const complaints: string[] = []
  const complain = (message: { text(): string; type(): string }) =>
    message.type() === 'error' && complaints.push(message.text())
  page.on('console', complain)
  const response = await page.goto(site.baseUrl + target)
  const status = response?.status() ?? 0
  const found = [...(await findings(page)), ...(await layoutProblems(page))]
  const titles = [await page.title(), await page.locator('h1').count()]
  page.off('console', complain)
  return { status, complaints, found, titles }
}

const pages = routes
  .filter(({ method, path }) => method === 'GET' && !programs.includes(path))
  .flatMap(({ path }) => samples[path] ?? [path])

describe.skipIf(!hasChromium)('every page, on a phone by day and on a desk by night', () => {
  test.each(['anybody', 'mio'])(
    'as seen by %s, fits the screen and keeps to WCAG 2.2 AA as far as axe can tell',
    async (who) => {
      for (const context of await contextsOf(who === 'anybody' ? undefined : who)) {
        const page = await context.newPage()
        for (const target of pages) {
          const { status, complaints, found, titles } = await look(page, target)
          expect({ target, status, complaints, found }).toEqual({
            target,
            status: 200,
            complaints: [],
            found: [],
          })
          expect({ target, headings: titles[1] }).toEqual({ target, headings: 1 })
        }
        await context.close()
      }
    },
    120_000,
  )

  test('a form that was refused says first what is wrong, and takes the reader there', async () => {
    const [context] = await contextsOf(undefined)
    const page = (await context?.newPage()) ?? expect.unreachable()
    await page.goto(`${site.baseUrl}/sign_in`)
    await page.fill('#username', 'nobody')
    await page.fill('#password', 'wrong password')
    await page.click('main button')
    await page.locator('.problems').waitFor()
    expect(await page.evaluate('document.activeElement.className')).toBe('problems')
    expect(await page.title()).toStartWith('Error: ')
    expect(await page.inputValue('#username')).toBe('nobody')
    expect(await findings(page)).toEqual([])
  }, 30_000)
})
