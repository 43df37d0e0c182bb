import { beforeEach, describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { works } from '../support/flows'
import { keptOnDevice, longComment, person, site, useLateSite } from '../support/late-site'
import { until } from '../support/until'

useLateSite()

const day = 86_400_000
const comments = () => rowsOf(site.instance.store.handle, 'records').map((row) => row.comment)

/** Writes into the page's own database, by its script. */
const change = (store: 'outbox' | 'drafts', does: string) =>
  person.page.evaluate(`new Promise((done) => {
    const opening = indexedDB.open('kiroku', 1)
    opening.onsuccess = () => {
      const tx = opening.result.transaction('${store}', 'readwrite')
      const store = tx.objectStore('${store}')
      ${does}
      tx.oncomplete = () => done(opening.result.close())
    }
  })`)

async function openSheet(): Promise<void> {
  const { page } = person
  await page.locator(`#row-${works.onAir} a.more`).click()
  await page.locator('dialog [name=comment]').waitFor()
}

const typed = () => person.page.locator('dialog [name=comment]').inputValue()
const press = () => person.page.locator('dialog form[data-act=record] .filled').click()

describe.skipIf(!hasChromium)('a device with 500 presses that wait', () => {
  const fillOutbox = () =>
    change(
      'outbox',
      `for (let at = 0; at < 500; at += 1) store.add({ user: '1', path: '/record', fields: [['episode_id', '10112']],
        form_id: String(at), done_at: new Date().toISOString(), label: 'x', swap: '', tries: 0, state: 'needs_you', why: 'x' })`,
    )

  test('says so, takes no other one and leaves it in its form, until there is room again (D106)', async () => {
    const { page } = person
    await page.goto(site.baseUrl)
    await fillOutbox()
    await openSheet()
    await page.fill('dialog [name=comment]', longComment)
    await press()
    await page.locator('dialog .problems', { hasText: '500 presses are waiting' }).waitFor()
    expect([await typed(), comments(), (await keptOnDevice(person)).outbox.length]).toEqual([
      longComment,
      [],
      500,
    ])
    await change('outbox', 'store.openCursor().onsuccess = ({ target }) => target.result.delete()')
    await press()
    await person.told(/Recorded episode 1/)
    expect([comments(), (await keptOnDevice(person)).outbox.length]).toEqual([[longComment], 499])
  })
})

describe.skipIf(!hasChromium)('a browser that keeps nothing', () => {
  beforeEach(async () => {
    await person.context.addInitScript(
      'IDBFactory.prototype.open = () => { throw new DOMException("refused", "SecurityError") }',
    )
    await person.page.goto(site.baseUrl)
  })

  test('sends a press directly', async () => {
    await person.page.locator(`#row-${works.onAir} form[data-act=record] button`).click()
    await person.told(/Recorded episode 1/)
    expect(comments()).toEqual([''])
  })

  test('leaves form and text after a failure, and sends them as soon as it can', async () => {
    const { page, context } = person
    await openSheet()
    await page.fill('dialog [name=comment]', longComment)
    await context.setOffline(true)
    await press()
    await page.locator('[data-outbox="1"][data-offline]').waitFor({ state: 'attached' })
    expect([await typed(), comments()]).toEqual([longComment, []])
    await context.setOffline(false)
    await person.told(/Recorded episode 1/)
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(comments()).toEqual([longComment])
  })
})

describe.skipIf(!hasChromium)('a page kept on the device', () => {
  const keptAt = (ago: number) =>
    person.page.evaluate(`(async () => {
      const cache = await caches.open('kiroku-me-1')
      for (const request of await cache.keys()) {
        const response = await cache.match(request, { ignoreVary: true })
        const headers = new Headers(response.headers)
        headers.set('X-Kiroku-Kept', String(Date.now() - ${ago}))
        await cache.put(request, new Response(await response.text(), { headers }))
      }
    })()`)
  const sheets = () =>
    person.page.evaluate<string[]>(`(async () => (await (await caches.open('kiroku-me-1')).keys())
      .map(({ url }) => url).filter((url) => url.includes('/record/new')))()`)

  test('is shown for 14 days without a network, and then no longer, nor named (D109)', async () => {
    const { page, context } = person
    await page.goto(site.baseUrl)
    await until(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))
    await page.reload()
    await until(async () => (await sheets()).length === 1)
    await keptAt(14 * day - 60_000)
    await context.setOffline(true)
    await page.goto(`${site.baseUrl}/works/1`)
    await page.locator('[data-offline-page] [data-part=kept] a', { hasText: 'Track' }).waitFor()
    await page.goto(site.baseUrl)
    await page.locator('html[data-kept]').waitFor({ state: 'attached' })
    await keptAt(14 * day)
    await page.goto(site.baseUrl)
    await page.locator('[data-offline-page]').waitFor()
    await page.locator('[data-part=kept][hidden]').waitFor({ state: 'attached' })
    expect(await page.locator('[data-part=kept] a').count()).toBe(0)
  })

  test('that is too old is asked for anew, a sheet too', async () => {
    const { page } = person
    await page.goto(site.baseUrl)
    await until(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))
    await page.reload()
    await until(async () => (await sheets()).length === 1)
    await keptAt(14 * day)
    const asked = page.waitForRequest((request) => request.url().includes('/record/new'))
    await page.reload()
    await asked
    await until(async () => (await sheets()).length === 1)
  })
})

describe.skipIf(!hasChromium)('a draft', () => {
  const makeOlder = (ago: number) =>
    change(
      'drafts',
      `store.openCursor().onsuccess = ({ target }) => {
        if (target.result) target.result.update({ ...target.result.value, at: Date.now() - ${ago} }) && target.result.continue()
      }`,
    )

  test('is there for 30 days, and then no longer', async () => {
    const { page } = person
    await page.goto(site.baseUrl)
    await openSheet()
    await page.fill('dialog [name=comment]', longComment)
    await until(async () => (await keptOnDevice(person)).drafts.length === 1)
    await makeOlder(30 * day - 60_000)
    await page.goto(`${site.baseUrl}/about`)
    await page.goto(site.baseUrl)
    await openSheet()
    await page.locator('dialog .draft').waitFor()
    expect(await typed()).toBe(longComment)
    await page.goto(`${site.baseUrl}/about`)
    await makeOlder(30 * day)
    await page.reload()
    await until(async () => (await keptOnDevice(person)).drafts.length === 0)
    await page.goto(site.baseUrl)
    await openSheet()
    expect([await typed(), await page.locator('.draft').count()]).toEqual(['', 0])
  })

  test('stands beside a text that was changed meanwhile, until it is discarded', async () => {
    const { page } = person
    const { handle } = site.instance.store
    handle.run(
      "insert into records (id, user_id, work_id, episode_id, comment, watched_at, created_at) values (9001, 1, ?, ?, 'before', 1, 1)",
      [works.onAir, works.onAir * 100 + 1],
    )
    const address = `${site.baseUrl}/records/9001/edit`
    await page.goto(address)
    await page.fill('main [name=comment]', longComment)
    await until(async () => (await keptOnDevice(person)).drafts.length === 1)
    await page.reload()
    await page.locator('.draft').waitFor()
    expect(await page.locator('.draft .meta').count()).toBe(0)
    handle.run("update records set comment = 'from the other device' where id = 9001")
    await page.reload()
    await page.locator('.draft .meta', { hasText: 'from the other device' }).waitFor()
    expect(await page.inputValue('main [name=comment]')).toBe(longComment)
    await page.locator('.draft button').click()
    expect(await page.inputValue('main [name=comment]')).toBe('from the other device')
    await until(async () => (await keptOnDevice(person)).drafts.length === 0)
  })
})
