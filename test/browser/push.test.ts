import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { createECDH, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { cookieName } from '../../src/web/cookies'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { findings, layoutProblems } from '../support/findings'
import { seedLibrary } from '../support/seed-library'
import { until } from '../support/until'
import { createMember } from '../support/visitor'

let site: Site
let page: Page
beforeAll(async () => {
  if (!hasChromium) return
  const outgoingAllow = [{ hostname: 'push.test', port: '' }]
  site = await createSite({ seed: seedLibrary, config: { webPush: true, outgoingAllow } })
}, 60_000)
afterEach(() => page?.context().close())
afterAll(() => site?.close())

const path = '/settings/notifications'
const pushed = () => rowsOf(site.instance.store.handle, 'destinations').filter(({ kind }) => kind === 'push')

/** mio's settings, in a browser that shows notifications if it is `allowed`. `script` runs before those of the page. */
async function open({ allowed = true, script = '' } = {}): Promise<Page> {
  const { instance, baseUrl, browser } = site
  const context = await browser.newContext({ locale: 'en', viewport: { width: 360, height: 740 } })
  if (allowed) await context.grantPermissions(['notifications'], { origin: baseUrl })
  const name = cookieName('sid', baseUrl)
  const value = (await createMember(instance, 'mio')).cookies.get(name) ?? ''
  await context.addCookies([{ name, value, url: baseUrl }])
  page = await context.newPage()
  const counting = `window.asked = 0
    const { subscribe } = PushManager.prototype
    PushManager.prototype.subscribe = function (...how) { window.asked += 1; return subscribe.apply(this, how) }`
  await page.addInitScript(`${script}\n${counting}`)
  await page.goto(baseUrl + path)
  await page.evaluate('navigator.serviceWorker.ready')
  return page
}

const asked = () => page.evaluate('window.asked')
const button = () => page.getByRole('button', { name: 'Show notifications here' })

/** Stands for the server of the browser's maker, which is beyond the network of the tests. */
function givenBy(endpoint: string): string {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  return `PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify({ endpoint, keys })}) })`
}

test.skipIf(!hasChromium)(
  'a browser is asked after a press only, and what it gives is kept; its host is shown (D86)',
  async () => {
    await open({ script: givenBy('https://push.test/device') })
    expect([await asked(), pushed()]).toEqual([0, []])
    expect([await layoutProblems(page), await findings(page)]).toEqual([[], []])
    await button().click()
    await page.getByText('This browser is told through push.test.').waitFor()
    expect(pushed()).toMatchObject([{ url: 'https://push.test/device', host: 'push.test', is_on: 1 }])
    expect(await page.getByLabel('New episodes: This browser push.test').isChecked()).toBe(true)
  },
  120_000,
)

test.skipIf(!hasChromium)(
  'a browser that does not allow it, or that reaches no server, says so, and nothing is kept',
  async () => {
    const before = pushed().length
    await open({ allowed: false })
    await button().click()
    await page.getByText(/The browser does not allow it|could not reach the server/).waitFor()
    expect([await asked(), pushed().length]).toEqual([1, before])
  },
  120_000,
)

test.skipIf(!hasChromium)(
  'the worker shows what is pushed, and a press on it opens what it tells of',
  async () => {
    await open()
    const { baseUrl } = site
    const session = await page.context().newCDPSession(page)
    let registrationId = ''
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      registrationId =
        registrations.find(({ scopeURL }) => scopeURL.startsWith(baseUrl))?.registrationId ?? ''
    })
    await session.send('ServiceWorker.enable')
    await until(() => registrationId !== '')
    const [worker] = page.context().serviceWorkers()
    // A browser without a window shows none: what the worker asks it for is looked at.
    await worker?.evaluate(`
      self.seen = []
      self.registration.showNotification = async (title, options) => void self.seen.push({ title, ...options })
      self.clients.openWindow = async (url) => void self.seen.push(url)`)
    const notification = {
      ...{ title: '新しい話', body: '星降る庭 第5話\n海の話', navigate: `${baseUrl}/works/1` },
      ...{ tag: 'msg_7', lang: 'ja' },
    }
    const data = JSON.stringify({ web_push: 8030, notification })
    await session.send('ServiceWorker.deliverPushMessage', { origin: baseUrl, registrationId, data })
    const seen = () => worker?.evaluate<unknown[]>('self.seen')
    await until(async () => (await seen())?.length === 1)
    const { navigate, ...shown } = notification
    expect(await seen()).toEqual([{ ...shown, data: navigate }])
    await worker?.evaluate(`{
      const notification = { data: self.seen[0].data, close: () => void self.seen.push('closed') }
      self.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => {} }))
    }`)
    expect((await seen())?.slice(1)).toEqual(['closed', navigate])
  },
  120_000,
)
