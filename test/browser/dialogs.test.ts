import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/chromium'
import { findings } from '../support/findings'
import { createScriptSite, type ScriptSite } from '../support/script-site'

let site: ScriptSite
let page: Page
beforeAll(async () => {
  if (hasChromium) site = await createScriptSite()
}, 60_000)
afterAll(() => site?.close())
beforeEach(() => {
  Object.assign(site ?? {}, { answers: 'well', preferences: {} })
})

const focused = () =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.id")

describe.skipIf(!hasChromium)('dialogs and menus', () => {
  test('a link with data-dialog shows its page; the focus starts on Close and returns', async () => {
    page = await site.open()
    await page.getByRole('link', { name: 'Keys' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect([await dialog.getAttribute('aria-label'), await focused()]).toEqual(['/keys', 'Close'])
    expect(page.url()).toBe(`${site.baseUrl}/list`)
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Keys')
  })

  test('the account menu opens, and a press elsewhere or Escape closes it', async () => {
    page = await site.open()
    const menu = page.locator('details.account')
    await menu.locator('summary').click()
    expect(await menu.getByRole('link', { name: 'Settings' }).isVisible()).toBe(true)
    expect(await findings(page)).toEqual([])
    await page.mouse.click(100, 600)
    expect(await menu.getAttribute('open')).toBeNull()
    await menu.locator('summary').click()
    await page.keyboard.press('Escape')
    expect(await menu.getAttribute('open')).toBeNull()
  })
})

test.skipIf(!hasChromium)('times are converted to the browser’s zone, which the server learns', async () => {
  page = await site.open()
  expect((await page.textContent('main > time'))?.replace('\u202f', ' ')).toBe('today at 8:00 PM')
  expect(await page.evaluate('document.cookie')).toBe('zone=Asia/Tokyo')
  site.preferences = { timeZone: 'Asia/Tokyo' }
  await page.reload()
  expect(await page.textContent('main > time')).toBe('11:00 UTC')
})
