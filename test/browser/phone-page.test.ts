import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { works } from '../support/flows'
import { longComment, openUnderWorker, person, useLateSite } from '../support/late-site'
import { until } from '../support/until'

useLateSite(openUnderWorker)

describe.skipIf(!hasChromium)('the page of a device, without a network', () => {
  test('shows what waits with its cover, text and time, and since when how much is kept', async () => {
    const { page, context } = person
    const kept = `caches.open('kiroku-me-1').then((cache) => cache.keys())
      .then((keys) => keys.map(({ url }) => new URL(url).pathname))`
    await until(async () => (await page.evaluate<string[]>(kept)).includes('/settings/phone'))
    await context.setOffline(true)
    await page.locator(`#row-${works.onAir} form[data-act=record] button`).click()
    await page.locator('[data-outbox="1"]').waitFor()
    await page.locator(`#row-${works.onAir} a.more`).click()
    await page.fill('dialog [name=comment]', longComment)
    await page.locator('dialog form[data-act=record] .filled').click()
    await page.locator('[data-outbox="2"]').waitFor()
    await page.locator('.pill-offline a').first().click()
    await page.getByRole('heading', { name: '2 waiting to be sent' }).waitFor()
    const rows = page.locator('[data-part=waiting] li')
    expect(await rows.locator('b').allTextContents()).toEqual([
      'Record episode 1 of Frieren',
      'Frieren Episode 2 · Record',
    ])
    expect(await rows.nth(0).locator('.meta').textContent()).toMatch(/^\d\d:\d\d$/)
    expect(await rows.nth(1).locator('.meta').textContent()).toStartWith(`${longComment} · `)
    const drawn = `[...document.querySelectorAll('[data-part=waiting] .cover')].filter((one) => one.naturalWidth > 0)`
    await until(async () => (await page.evaluate<number>(`${drawn}.length`)) === 2)
    await page.locator('[data-since]', { hasText: /^Since \d+ \w+ \d{4}, \d\d:\d\d · \d\.\d MB$/ }).waitFor()
  })
})

describe.skipIf(!hasChromium)('the app', () => {
  test('can be installed: Chromium finds no fault in its manifest, icons and worker (D106)', async () => {
    const { page, context } = person
    const chromium = await context.newCDPSession(page)
    expect(await chromium.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] })
    expect((await chromium.send('Page.getAppManifest')).errors).toEqual([])
  })
})
