import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Browser, chromium } from 'playwright-core'
import { createInstance, type Instance } from './instance'
import { authorizeUrl, registerClient } from './oauth'
import { createMember } from './visitor'

const chromiumPath = '/usr/bin/chromium'
const installed = await Bun.file(chromiumPath).exists()

let browser: Browser
let instance: Instance
let server: Bun.Server<undefined>
let client: Bun.Server<undefined>

beforeAll(async () => {
  if (!installed) return
  instance = await createInstance()
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => instance.handle(request),
  })
  client = Bun.serve({ port: 0, hostname: '::', fetch: () => new Response('welcome back') })
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  browser = await chromium.launch({ executablePath: chromiumPath, args })
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
  await client?.stop(true)
  await instance?.close()
})

/** Opens the page of consent as `mio`, for an application that lives at a host of this machine. */
async function openConsent(host: string) {
  const redirectUri = `http://${host}:${client.port}/callback`
  const application = await registerClient(instance, { redirectUris: [`http://${host}/callback`] })
  const { cookies } = await createMember(instance, 'mio')
  const context = await browser.newContext()
  for (const [name, value] of cookies) await context.addCookies([{ name, value, url: server.url.href }])
  const page = await context.newPage()
  const target = authorizeUrl({ ...application, redirectUri }, { state: 'a b+c' })
  await page.goto(new URL(target, server.url).href)
  return { page, redirectUri }
}

test.skipIf(!installed).each([
  ['127.0.0.1', 'approve', 'code'],
  ['localhost', 'approve', 'code'],
  ['[::1]', 'approve', 'code'],
  ['127.0.0.1', 'deny', 'error'],
])(
  '§2.4: a browser follows consent to an application at %s: %s',
  async (host, decision, parameter) => {
    const { page, redirectUri } = await openConsent(host)
    await page.locator(`button[value="${decision}"]`).click()
    await page.waitForURL((url) => url.pathname === '/callback')
    const url = new URL(page.url())
    expect(`${url.origin}${url.pathname}`).toBe(redirectUri)
    expect(url.searchParams.get('state')).toBe('a b+c')
    expect(url.searchParams.has(parameter)).toBe(true)
    expect(await page.textContent('body')).toBe('welcome back')
    expect(await page.evaluate('document.referrer')).toBe('')
    await page.context().close()
  },
  30_000,
)
