import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext } from 'playwright-core'
import { codeOf } from '../support/authenticator'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { findings } from '../support/findings'
import { createMember } from '../support/visitor'

let site: Site
let context: BrowserContext

beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  context = await site.browser.newContext({ acceptDownloads: true })
  const { cookies } = await createMember(site.instance, 'mio')
  for (const [name, value] of cookies) await context.addCookies([{ name, value, url: site.baseUrl }])
}, 60_000)

afterAll(() => site?.close())

test.skipIf(!hasChromium)(
  'a member sets up two-step verification in a browser, and every page on the way is accessible',
  async () => {
    const page = await context.newPage()
    const visit = async (path: string) => {
      await page.goto(`${site.baseUrl}/${path}`)
      expect(await findings(page)).toEqual([])
    }
    for (const path of ['settings', 'settings/profile', 'settings/sessions', 'settings/delete_account'])
      await visit(path)
    await visit('settings/two_step')
    await page.click('main button')
    expect(await findings(page)).toEqual([])
    const width = await page
      .locator('main img')
      .evaluate((image) => (image as never as { naturalWidth: number }).naturalWidth)
    expect(width).toBeGreaterThan(0)
    const key = (await page.textContent('#totp_key')) ?? ''
    await page.fill('#code', '12345')
    await page.click('main button')
    expect(await findings(page)).toEqual([])
    await page.fill('#code', codeOf(key, site.instance.clock.now))
    await page.click('main button')
    expect(await page.locator('.once li').count()).toBe(10)
    expect(await findings(page)).toEqual([])
    await page.close()
  },
  90_000,
)

test.skipIf(!hasChromium)(
  'a browser saves the download as a file with a name',
  async () => {
    const page = await context.newPage()
    await page.goto(`${site.baseUrl}/settings/export`)
    expect(await findings(page)).toEqual([])
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#get-kiroku')])
    expect(download.suggestedFilename()).toBe('kiroku-mio-2026-04-01.json')
    expect(await Bun.file(await download.path()).json()).toMatchObject({ profile: { username: 'mio' } })
    await page.close()
  },
  60_000,
)
