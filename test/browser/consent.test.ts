import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createUser } from '../../src/accounts/account/user'
import { createSite, hasChromium, launch, openPage, type Site } from '../support/chromium'
import { findings } from '../support/findings'
import { type Client, registerClient } from '../support/oauth'
import { until } from '../support/until'

const password = 'correct horse battery'

let site: Site
let client: ReturnType<typeof startClient>

beforeAll(async () => {
  if (!hasChromium) return
  // A plain-http name in a home network: no Sec-Fetch headers, no __Host- cookies.
  site = await createSite({ host: 'kiroku.test' })
  client = startClient()
  const user = { username: 'nodoka', email: 'nodoka@example.com', password, isAdmin: false }
  await createUser(site.instance.deps, user)
}, 60_000)
afterAll(async () => {
  await client?.close()
  await site?.close()
})

/** A client application's own servers: one over https, one on the loopback interface. */
function startClient() {
  const directory = mkdtempSync(join(tmpdir(), 'kiroku-client-'))
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const subject = ['-subj', '/CN=client.test', '-addext', 'subjectAltName=DNS:client.test']
  const request = ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
  const made = Bun.spawnSync([...request, '-days', '1', ...subject])
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  const welcome = () => new Response('<h1>Welcome back</h1>', { headers: { 'content-type': 'text/html' } })
  // Like many clients, this one redirects to its real address.
  const fetch = ({ url }: Request) =>
    url.includes('/callback?led-on=1')
      ? new Response(null, {
          status: 302,
          headers: { location: url.replace('client.test', 'www.client.test').replace('led-on=1', 'kept=1') },
        })
      : welcome()
  const tls = { key: Bun.file(key), cert: Bun.file(cert) }
  const secure = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch })
  const loopback = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
  const close = async () => {
    await Promise.all([secure.stop(true), loopback.stop(true)])
    rmSync(directory, { recursive: true, force: true })
  }
  return { secure, loopback, close }
}

/** A page of a browser that is not signed in, and the requests it refuses. */
async function openBrowser(browser = site.browser): Promise<{ page: Page; refused: string[] }> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en' })
  const page = await context.newPage()
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|form-action/i.test(message.text())) refused.push(message.text())
  })
  return { page, refused }
}

function authorizeUrl(application: Client, redirectUri: string): string {
  const query = {
    client_id: application.uid,
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'a b+c',
  }
  return `${site.baseUrl}/oauth/authorize?${new URLSearchParams(query)}`
}

/** Goes where a client sends its user, signs in on the way, and arrives at the consent page. */
async function walkToConsent(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.fill('input[name=username]', 'nodoka')
  await page.fill('input[name=password]', password)
  await page.click('main form button')
  await page.locator('[name=decision][value=approve]').waitFor()
}

describe.skipIf(!hasChromium)('consent in a real browser, on a plain-http host name', () => {
  test('an https client gets its code, and the page obeys its own policy (AZ-01, AZ-26)', async () => {
    const redirectUri = `https://client.test:${client.secure.port}/callback?led-on=1`
    const application = await registerClient(site.instance, { redirectUris: [redirectUri], sendsIss: true })
    const { page, refused } = await openBrowser()
    await walkToConsent(page, authorizeUrl(application, redirectUri))
    expect(await findings(page)).toEqual([])
    await page.click('[name=decision][value=approve]')
    await page.getByText('Welcome back').waitFor()
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('code')).toStartWith('kir_ac_')
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['a b+c', site.baseUrl])
    expect([searchParams.get('kept'), refused]).toEqual(['1', []])
  }, 60_000)

  test('a native client on a loopback port gets its response, even when it is refused (AZ-06, AZ-25)', async () => {
    const application = await registerClient(site.instance, {
      redirectUris: ['http://127.0.0.1/callback'],
    })
    const { page, refused } = await openBrowser()
    const redirectUri = `http://127.0.0.1:${client.loopback.port}/callback`
    await walkToConsent(page, authorizeUrl(application, redirectUri))
    await page.click('[name=decision][value=deny]')
    await page.getByText('Welcome back').waitFor()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
    expect(refused).toEqual([])
  }, 60_000)

  test("an application with a custom scheme is reached despite the page's policy (AZ-07)", async () => {
    const redirectUri = 'com.example.client:/callback'
    const application = await registerClient(site.instance, { redirectUris: [redirectUri] })
    // A separate browser, because one misbehaves after it looked for such an application in vain.
    const browser = await launch()
    const { page, refused } = await openBrowser(browser)
    await walkToConsent(page, authorizeUrl(application, redirectUri))
    const isLed = () => site.addresses.some((address) => address.startsWith(`${redirectUri}?code=`))
    // On a busy machine a press by a pointer may come before the page accepts any.
    await page.evaluate(`document.querySelector('[name=decision][value=approve]').click()`)
    await until(isLed)
    await page.evaluate('1').catch(() => {})
    expect(refused).toEqual([])
    await browser.close()
  }, 60_000)

  test('browsers do apply form-action to redirects after a form: the control for the tests above', async () => {
    const policy = { 'content-type': 'text/html', 'content-security-policy': "form-action 'self'" }
    const tell =
      "document.addEventListener('securitypolicyviolation', (e) => fetch('/?' + e.effectiveDirective))"
    const form = `<form method="post" action="/"></form><script>${tell}; document.forms[0].submit()</script>`
    const told: string[] = []
    await using strict = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ method, url }) => {
        told.push(new URL(url).search)
        if (method === 'GET') return new Response(form, { headers: policy })
        return new Response(null, { status: 303, headers: { location: 'https://elsewhere.test/' } })
      },
    })
    // Without Playwright, which sometimes loses count of requests that a browser cancels.
    await using _browser = openPage(strict.url.href)
    await until(() => told.includes('?form-action'))
  }, 60_000)

  test('the displayed code is on the page and in no address (AZ-08)', async () => {
    const redirectUri = 'urn:ietf:wg:oauth:2.0:oob'
    const application = await registerClient(site.instance, { redirectUris: [redirectUri] })
    const { page } = await openBrowser()
    await walkToConsent(page, authorizeUrl(application, redirectUri))
    await page.click('[name=decision][value=approve]')
    const code = (await page.locator('code#authorization_code').textContent()) ?? ''
    expect(code).toStartWith('kir_ac_')
    expect(site.addresses.filter((address) => address.includes(code))).toEqual([])
    expect(await findings(page)).toEqual([])
  }, 60_000)
})
