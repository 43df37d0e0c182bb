import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { works } from '../support/flows'
import { keptOnDevice, longComment, person, site, useBrowser, useLateSite } from '../support/late-site'
import { until } from '../support/until'

useLateSite(async () => {
  await person.page.goto(site.baseUrl)
})

const records = () => rowsOf(site.instance.store.handle, 'records')
const written = () => records().map(({ comment }) => comment)
const tick = (page: Page = person.page) => page.locator(`#row-${works.onAir} form[data-act=record] button`)
const counted = (count: number, page: Page = person.page) =>
  page.locator(`[data-outbox="${count}"]`).waitFor({ state: 'attached' })

async function openTab(path = '/'): Promise<Page> {
  const page = await person.context.newPage()
  await page.goto(site.baseUrl + path)
  return page
}

async function openSheet(): Promise<void> {
  await person.page.locator(`#row-${works.onAir} a.more`).click()
  await person.page.locator('dialog [name=comment]').waitFor()
}
const press = () => person.page.locator('dialog form[data-act=record] .filled').click()

const isControlled = async () => {
  await until(() => person.page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))
  await person.page.reload()
}

describe.skipIf(!hasChromium)('what was refused (D106)', () => {
  const refuse = async () => {
    const problems = { comment: 'This comment is refused.' }
    await person.page.route('**/record', (route) =>
      route.fulfill({ status: 422, json: { result: 'refused', problems } }),
    )
    await openSheet()
    await person.page.fill('dialog [name=comment]', longComment)
    await press()
    await person.page.locator('dialog .problems', { hasText: 'This comment is refused.' }).waitFor()
    await person.page.unrouteAll()
  }

  test('and then discarded in another tab is recorded when it is pressed again', async () => {
    await openSheet()
    await person.page.fill('dialog [name=comment]', longComment)
    await person.page.route('**/record', (route) => route.abort())
    await press()
    await person.page.locator('dialog').waitFor({ state: 'detached' })
    await person.page.unrouteAll()
    const problems = { comment: 'This comment is refused.' }
    await person.page.route('**/record', (route) =>
      route.fulfill({ status: 422, json: { result: 'refused', problems } }),
    )
    await person.page.evaluate("dispatchEvent(new Event('online'))")
    await person.page.locator('dialog .problems', { hasText: 'This comment is refused.' }).waitFor()
    await person.page.unrouteAll()
    const other = await openTab('/settings/phone')
    await other.getByRole('button', { name: 'Discard' }).click()
    await until(async () => (await keptOnDevice(person)).outbox.length === 0)
    await press()
    await person.told(/Recorded/)
    expect(written()).toEqual([longComment])
  })

  test('takes one place, also when it is pressed again', async () => {
    await refuse()
    expect((await keptOnDevice(person)).outbox).toMatchObject([{ state: 'needs_you' }])
    await person.page.getByRole('button', { name: 'Try again' }).click()
    await person.told(/Recorded/)
    expect(written()).toEqual([longComment])
    expect(await keptOnDevice(person)).toEqual({ outbox: [], drafts: [] })
  })

  test('is a draft again, with what was changed since, in the sheet of later', async () => {
    await refuse()
    await person.page.fill('dialog [name=comment]', 'changed since')
    await person.page.goto(`${site.baseUrl}/about`)
    await person.page.goto(site.baseUrl)
    await openSheet()
    await until(async () => (await person.page.inputValue('dialog [name=comment]')) === 'changed since')
  })

  test('does not hold up what waits behind it, though its sheet does not come', async () => {
    await useBrowser({ serviceWorkers: 'block' })
    const { page } = person
    await page.addInitScript(`{
      const { timeout } = AbortSignal
      AbortSignal.timeout = (time) => timeout.call(AbortSignal, time / 50)
      Object.defineProperty(navigator, 'onLine', { get: () => false })
    }`)
    await page.goto(site.baseUrl)
    await openSheet()
    await page.fill('dialog [name=comment]', longComment)
    await page.route('**/record', (route) => route.abort())
    await press()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.unrouteAll()
    const problems = { comment: 'No.' }
    await page.route(
      '**/record',
      (route) => route.fulfill({ status: 422, json: { result: 'refused', problems } }),
      { times: 1 },
    )
    let isHeld = false
    await page.route('**/record/new?**', () => {
      isHeld = true
    })
    await page.evaluate("dispatchEvent(new Event('online'))")
    await until(() => isHeld)
    await tick().click()
    await until(() => records().length === 1)
  })
})

describe.skipIf(!hasChromium)('how many presses wait', () => {
  test('is the same in each tab, and after each one that was sent', async () => {
    const { page, context } = person
    const other = await openTab()
    await context.setOffline(true)
    for (let count = 1; count <= 3; count += 1) {
      await tick().click()
      await counted(count)
      await page.locator('#toast', { hasText: `Record episode ${count} of Frieren` }).waitFor()
      await counted(count, other)
    }
    let sent = 0
    await context.route('**/record', async (route) => {
      sent += 1
      if (sent < 3) await route.continue()
    })
    await context.setOffline(false)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await until(() => sent === 3)
    await counted(1)
    await counted(1, other)
  })

  test('is told once, however often it is tried', async () => {
    const { page } = person
    let tries = 0
    await page.route('**/record', (route) => {
      tries += 1
      return route.abort()
    })
    await tick().click()
    await person.told(/Waiting/)
    await page.locator('#toast .toast span').click()
    await page.evaluate(`new MutationObserver(() => { document.title = 'told again' })
      .observe(document.querySelector('#toast'), { childList: true })`)
    for (let again = 1; again <= 2; again += 1) {
      const before = tries
      await page.evaluate("dispatchEvent(new Event('online'))")
      await until(() => tries > before)
    }
    // The first of the two has ended by now.
    expect(await page.title()).not.toBe('told again')
  })

  test('is never above 500, even if two tabs write at the same moment', async () => {
    const { page, context } = person
    const other = await openTab()
    await page.evaluate(`new Promise((done) => {
      const opening = indexedDB.open('kiroku', 1)
      opening.onsuccess = () => {
        const tx = opening.result.transaction('outbox', 'readwrite')
        for (let at = 1; at < 500; at += 1) tx.objectStore('outbox').add({ user: '1', path: '/record', fields: [],
          form_id: String(at), done_at: '', label: 'x', swap: '', tries: 0, state: 'needs_you', why: 'x' })
        tx.oncomplete = () => done(opening.result.close())
      }
    })`)
    await context.route('**/record', (route) => route.abort())
    await Promise.all(
      [page, other].map((one) =>
        one.evaluate(`document.querySelector('#row-${works.onAir} form[data-act=record] button').click()`),
      ),
    )
    const isFull = 'text=500 presses are waiting on this device'
    await Promise.race([page, other].map((one) => one.locator(isFull).waitFor()))
    expect((await keptOnDevice(person)).outbox).toHaveLength(500)
  })
})

describe.skipIf(!hasChromium)('without a network', () => {
  test('⋯ after ✓ is about the next episode, and records that (D106)', async () => {
    const { page, context } = person
    await isControlled()
    await until(() =>
      page.evaluate<boolean>(
        `caches.match('/record/new?episode=10101&return_to=%2F', { ignoreVary: true }).then(Boolean)`,
      ),
    )
    await context.setOffline(true)
    await tick().click()
    await person.told(/Waiting/)
    await openSheet()
    expect(await page.locator('dialog .sheet-head .meta').textContent()).toBe('Episode 2')
    await page.fill('dialog [name=comment]', longComment)
    await press()
    await person.told(/Frieren Episode 2 · Record · Waiting/)
    await context.setOffline(false)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await counted(0)
    expect(records().map(({ episode_id, comment }) => [episode_id, comment])).toEqual([
      [10_101, ''],
      [10_102, longComment],
    ])
  })

  test('a page that is kept tells what was recorded once it is back', async () => {
    const { page, context } = person
    await isControlled()
    await context.setOffline(true)
    await page.goto(site.baseUrl)
    await page.locator('html[data-kept]').waitFor({ state: 'attached' })
    await tick().click()
    await counted(1)
    await context.setOffline(false)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.locator('html:not([data-kept])').waitFor({ state: 'attached' })
    await person.told(/Recorded episode 1/)
  })

  test('a text stays that was typed at the last moment, though the next page is left at once', async () => {
    const { page } = person
    await page.addInitScript(`if (location.pathname === '/about') IDBFactory.prototype.open = () => ({})`)
    await page.reload()
    await openSheet()
    await page.fill('dialog [name=comment]', longComment)
    await page.goto(`${site.baseUrl}/about`)
    await page.goto(site.baseUrl)
    await openSheet()
    await until(async () => (await page.inputValue('dialog [name=comment]')) === longComment)
  })
})
