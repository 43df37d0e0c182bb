import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { openHandle, openStore } from '../src/db/open'
import { cookieName } from '../src/web/cookies'
import { executable, kiroku } from './instance'
import { busiest, depsOn } from './list-site'
import { startMeasured } from './measured'
import { median } from './median'
import { pathsIn, signIn } from './pages'
import { aim, table } from './table'

const aims = { paint: 1000, press: 100 }
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** 1.6 Mbit/s down, 0.75 up, 150 ms latency; the CPU is throttled to a quarter of this machine's speed. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6e6 / 8,
  uploadThroughput: 0.75e6 / 8,
}

/** Measures pages on a slow phone with an empty cache; 300 users and 100,000 records, medians of `rounds`. */
export async function measurePhone(scratch: string, rounds: number): Promise<string> {
  const data = join(scratch, 'phone')
  await kiroku(['catalogue', 'load', '--data', data])
  await kiroku(['demo', '--users', '300', '--records', '100000', '--data', data])
  const { cookie, paths } = await prepare(data)
  const serve = ['serve', '--data', data, '--port', '0', '--no-catalogue', '--rate-limit', 'off']
  await using server = await startMeasured([executable, ...serve], join(scratch, 'phone.log'))
  const site = { baseUrl: `http://127.0.0.1:${server.port}`, cookie }
  const browser = await chromium.launch({
    executablePath: browsers.find(existsSync) ?? '',
    args: ['--no-sandbox'],
  })
  try {
    const views: string[][] = []
    for (const path of paths) views.push(await viewed(browser, site, path, rounds))
    const heads = ['page', 'first paint, ms', 'layout shift', '']
    return `${table([heads, ...views])}\n\n${table(await pressed(browser, site, rounds))}`
  } finally {
    await browser.close()
  }
}

interface Site {
  readonly baseUrl: string
  readonly cookie: string
}

async function prepare(data: string): Promise<{ cookie: string; paths: readonly string[] }> {
  const handle = openHandle(data)
  const store = openStore(data, handle)
  try {
    const cookie = await signIn(depsOn(store, data), busiest(handle))
    return { cookie, paths: pathsIn(handle) }
  } finally {
    await store.close()
  }
}

async function viewed(browser: Browser, site: Site, path: string, rounds: number): Promise<string[]> {
  const paints: number[] = []
  const shifts: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { context, page } = await openPhone(browser, site)
    await page.goto(site.baseUrl + path)
    await page.mouse.wheel(0, 1500)
    await page.waitForTimeout(700)
    paints.push(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`))
    shifts.push(await page.evaluate('shift'))
    await context.close()
  }
  const paint = Math.round(median(paints))
  return [decodeURIComponent(path), `${paint}`, Math.max(...shifts).toFixed(3), aim(paint, aims.paint, ' ms')]
}

/** Time from the press until the screen changes (Event Timing), and until the answer is on it. */
async function pressed(browser: Browser, site: Site, rounds: number): Promise<string[][]> {
  const { context, page } = await openPhone(browser, site)
  await page.goto(`${site.baseUrl}/`)
  const presses = { record: '[data-act=record] button', undo: '#toast form[data-act=undo] button' }
  const found: Record<string, { seen: number; answered: number }[]> = { record: [], undo: [] }
  for (let round = 0; round < rounds; round++)
    for (const [name, button] of Object.entries(presses)) {
      await page.waitForTimeout(600)
      found[name]?.push(await press(page, button))
    }
  await context.close()
  const rows = Object.entries(found).map(([name, times]) => {
    const seen = median(times.map((time) => time.seen))
    const answered = Math.round(median(times.map((time) => time.answered)))
    return [name, `${seen}`, `${answered}`, aim(seen, aims.press, ' ms')]
  })
  return [['press', 'next paint, ms', 'answer shown, ms', ''], ...rows]
}

async function press(page: Page, button: string): Promise<{ seen: number; answered: number }> {
  await page.evaluate(`clicks.length = 0; answer = new Promise((done) => {
    addEventListener('click', ({ timeStamp }) => {
      new MutationObserver((_, observer) => {
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - timeStamp)))
      }).observe(document.querySelector('#toast'), { childList: true })
    }, { once: true, capture: true })
  }); undefined`)
  await page.locator(button).first().tap()
  const answered = await page.evaluate<number>('answer')
  await page.waitForTimeout(300)
  return { seen: await page.evaluate<number>('Math.max(0, ...clicks)'), answered }
}

const observe = `
  window.shift = 0
  window.clicks = []
  const each = (type, more, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more })
  each('layout-shift', {}, ({ value }) => { shift += value })
  each('event', { durationThreshold: 16 }, ({ name, duration }) => { if (name === 'click') clicks.push(duration) })`

async function openPhone(
  browser: Browser,
  { baseUrl, cookie }: Site,
): Promise<{ context: BrowserContext; page: Page }> {
  const phone = {
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  }
  const context = await browser.newContext({ ...phone, locale: 'ja-JP', timezoneId: 'Asia/Tokyo' })
  // The sign-in page sets the time zone.
  const cookies = { [cookieName('sid', baseUrl)]: cookie, [cookieName('zone', baseUrl)]: 'Asia/Tokyo' }
  for (const [name, value] of Object.entries(cookies))
    await context.addCookies([{ name, value, url: baseUrl }])
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(observe)
  return { context, page }
}
