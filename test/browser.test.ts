import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Browser, chromium } from 'playwright-core'
import { createInstance, type Instance } from './instance'

const chromiumPath = '/usr/bin/chromium'
const installed = await Bun.file(chromiumPath).exists()
if (!installed) {
  if (process.env.CI) throw new Error(`the browser tests need ${chromiumPath}`)
  console.log(`browser tests skipped: there is no ${chromiumPath}`)
}

let browser: Browser
let instance: Instance
let server: Bun.Server<undefined>

beforeAll(async () => {
  if (!installed) return
  instance = await createInstance()
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => instance.ask(request.url.replace(/^http:\/\/[^/]+/, ''), request),
  })
  browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
  await instance?.close()
})

/** Opens a page; what it asked for and what it complained about. */
async function open(path: string) {
  const page = await browser.newPage()
  const origins = new Set<string>()
  const complaints: string[] = []
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(new URL(path, server.url).href, { waitUntil: 'networkidle' })
  return { page, origins: [...origins], complaints }
}

test.skipIf(!installed)(
  'the documentation page draws every endpoint under its own policy, and no request leaves the instance',
  async () => {
    const { page, origins, complaints } = await open('/docs')
    await page.locator('.opblock').first().waitFor()
    expect(await page.locator('.opblock').count()).toBeGreaterThan(9)
    await page.locator('.opblock-summary-control').first().click()
    await page.locator('.opblock-body .execute').first().waitFor()
    expect(await page.locator('.opblock-body input').first().inputValue()).toBe('')
    expect({ origins, complaints }).toEqual({ origins: [server.url.origin], complaints: [] })
  },
  30_000,
)

test.skipIf(!installed).each(['/', '/about', '/docs/errors'])(
  '%s is drawn with its style, within the width of a phone',
  async (path) => {
    const { page, origins, complaints } = await open(path)
    await page.setViewportSize({ width: 360, height: 720 })
    const width = await page.evaluate('document.documentElement.scrollWidth')
    const font = await page.evaluate('getComputedStyle(document.body).fontFamily')
    expect({ width, origins, complaints }).toEqual({
      width: 360,
      origins: [server.url.origin],
      complaints: [],
    })
    expect(font).toContain('system-ui')
  },
  30_000,
)
