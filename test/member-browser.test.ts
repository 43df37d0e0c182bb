import { afterAll, beforeAll, expect, test } from 'bun:test'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { codeOf } from './authenticator'
import { createInstance, type Instance } from './instance'
import { createMember } from './visitor'

const chromiumPath = '/usr/bin/chromium'
const installed = await Bun.file(chromiumPath).exists()

let browser: Browser
let context: BrowserContext
let instance: Instance
let server: Bun.Server<undefined>

beforeAll(async () => {
  if (!installed) return
  instance = await createInstance()
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { method, headers } = request
      const body = method === 'GET' ? {} : { body: await request.arrayBuffer() }
      return instance.ask(request.url.replace(/^http:\/\/[^/]+/, ''), { method, headers, ...body })
    },
  })
  browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  context = await browser.newContext({ acceptDownloads: true })
  const value = (await createMember(instance, 'mio')).cookies.get('sid_3000') ?? ''
  await context.addCookies([{ name: 'sid_3000', value, domain: '127.0.0.1', path: '/' }])
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
  await instance?.close()
})

/** What a screen reader's user would stumble over on the page (WCAG 2.2 AA, as far as a program can tell). */
async function obstacles(page: Page) {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
  return violations.map(({ id, nodes }) => [page.url(), id, nodes.map(({ html }) => html)])
}

test.skipIf(!installed)(
  'a member sets up two-step verification in a browser, and no page on the way keeps anybody out',
  async () => {
    const page = await context.newPage()
    const visit = async (path: string) => {
      await page.goto(new URL(path, server.url).href)
      expect(await obstacles(page)).toEqual([])
    }
    for (const path of ['settings', 'settings/profile', 'settings/sessions', 'settings/delete_account'])
      await visit(path)
    await visit('settings/two_step')
    await page.click('main button')
    expect(await obstacles(page)).toEqual([])
    const width = await page
      .locator('main img')
      .evaluate((image) => (image as never as { naturalWidth: number }).naturalWidth)
    expect(width).toBeGreaterThan(0)
    const key = (await page.textContent('#totp_key')) ?? ''
    await page.fill('#code', '12345')
    await page.click('main button')
    expect(await obstacles(page)).toEqual([])
    await page.fill('#code', codeOf(key, instance.clock.now))
    await page.click('main button')
    expect(await page.locator('.once li').count()).toBe(10)
    expect(await obstacles(page)).toEqual([])
    await page.close()
  },
  90_000,
)

test.skipIf(!installed)(
  'a browser saves the download as a file with a name',
  async () => {
    const page = await context.newPage()
    await page.goto(new URL('settings/data', server.url).href)
    expect(await obstacles(page)).toEqual([])
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('main button')])
    expect(download.suggestedFilename()).toBe('kiroku-mio-2026-04-01.json')
    expect(await Bun.file(await download.path()).json()).toMatchObject({ profile: { username: 'mio' } })
    await page.close()
  },
  60_000,
)
