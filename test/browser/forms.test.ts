import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createUser } from '../../src/accounts/account/user'
import { cookieName } from '../../src/web/cookies'
import { createSite, hasChromium, looks, type Site } from '../support/chromium'
import { findings, layoutProblems } from '../support/findings'
import { createMember } from '../support/visitor'

const longest = 'W'.repeat(20)

let site: Site
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite({ config: { registration: 'open' } })
  const account = { email: 'w@example.com', password: 'correct horse battery', isAdmin: true }
  await createUser(site.instance.deps, { username: longest, ...account })
}, 60_000)
afterAll(() => site?.close())

/** Opens a page as a signed-in user, or as a visitor. */
async function open(page: Page, target: string, username?: string): Promise<void> {
  await page.context().clearCookies()
  if (username !== undefined) {
    const name = cookieName('sid', site.baseUrl)
    const value = (await createMember(site.instance, username)).cookies.get(name) ?? ''
    await page.context().addCookies([{ name, value, url: site.baseUrl }])
  }
  await page.goto(site.baseUrl + target)
}

const colours = (page: Page, selector: string, property: string): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('${selector}')].map((one) => getComputedStyle(one)['${property}'])`,
  )

describe.skipIf(!hasChromium).each(looks)(
  'in a browser, on a phone by day and on a desk by night',
  (pageContext) => {
    let page: Page
    beforeAll(async () => {
      page = await site.browser.newPage(pageContext)
    })
    afterAll(() => page.context().close())

    test('a password is shown while its box is checked, and sent as a password', async () => {
      await open(page, '/sign_in')
      await page.fill('#password', 'correct horse battery')
      const kind = () => page.getAttribute('#password', 'type')
      await page.getByRole('checkbox').check()
      expect([await kind(), await findings(page), await layoutProblems(page)]).toEqual(['text', [], []])
      await page.getByRole('checkbox').uncheck()
      expect(await kind()).toBe('password')
    })

    test('every wrong input has a border in the colour of its message, and the first one has the focus', async () => {
      await open(page, '/sign_up')
      await page.fill('#username', 'a b')
      await page.click('main button')
      await page.locator('.problems').waitFor()
      const [wrong] = await colours(page, 'p.problem', 'color')
      expect(await colours(page, '[aria-invalid]', 'borderTopColor')).toEqual(
        [wrong, wrong, wrong].map(String),
      )
      expect(await colours(page, '[aria-invalid]', 'borderTopWidth')).toEqual(['2px', '2px', '2px'])
      expect(await page.evaluate('document.activeElement.id')).toBe('username')
      expect(await findings(page)).toEqual([])
      expect(await layoutProblems(page)).toEqual([])
    }, 60_000)

    test('so do a wrong text of several lines and a wrong choice', async () => {
      await open(page, '/oauth/applications/new', 'mio')
      await page.fill('#redirect_uri', 'https://a;b/')
      await page.locator('#scopes').evaluate((radio) => radio.setAttribute('value', 'all'))
      await page.click('main button')
      await page.locator('.problems').waitFor()
      const [wrong] = await colours(page, 'p.problem', 'color')
      expect(await colours(page, 'textarea[aria-invalid]', 'borderTopColor')).toEqual([String(wrong)])
      expect(await colours(page, 'input[type=radio][aria-invalid]', 'outlineColor')).toEqual([String(wrong)])
      expect(await findings(page)).toEqual([])
    }, 60_000)

    test('the longest username fits the header', async () => {
      // The header is there before the documentation is rendered, which takes seconds.
      await page.route('**/swagger-ui-bundle.js', (route) => route.abort())
      for (const target of ['/settings', '/admin/users', '/about', '/docs']) {
        await open(page, target, longest)
        expect([target, ...(await layoutProblems(page))]).toEqual([target])
        const height = await page.evaluate(
          "document.querySelector('body > header').getBoundingClientRect().height",
        )
        expect(height).toBeLessThan(96)
      }
    }, 60_000)

    test('the link to the other language is in that language, and works', async () => {
      await open(page, '/about')
      const other = pageContext.locale === 'ja' ? (['en', 'English'] as const) : (['ja', '日本語'] as const)
      const link = page.locator(`footer a[lang=${other[0]}]`)
      expect(await link.textContent()).toBe(other[1])
      await link.click()
      expect(await page.inputValue('select')).toBe(other[0])
      await page.click('main button')
      await page.waitForURL(`${site.baseUrl}/about`)
      expect(await page.getAttribute('html', 'lang')).toBe(other[0])
    }, 60_000)
  },
)
