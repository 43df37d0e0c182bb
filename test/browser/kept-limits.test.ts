import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { works } from '../support/flows'
import { keptOnDevice, openUnderWorker, person, site, useLateSite } from '../support/late-site'
import { until } from '../support/until'

useLateSite(openUnderWorker)

const day = 86_400_000

type StoreName = 'outbox' | 'drafts'

const withStore = (name: StoreName, does: string) =>
  person.page.evaluate<void>(`new Promise((done) => {
    const opening = indexedDB.open('kiroku', 1)
    opening.onsuccess = () => {
      const tx = opening.result.transaction('${name}', 'readwrite')
      const store = tx.objectStore('${name}')
      ${does}
      tx.oncomplete = () => done()
    }
  })`)
const putInto = (name: StoreName, rows: readonly object[]) =>
  withStore(name, `for (const row of ${JSON.stringify(rows)}) store.put(row)`)
const removeFrom = (name: StoreName, key: number) => withStore(name, `store.delete(${key})`)

/** Puts this many made-up answers into a cache. */
const fillCache = (name: string, path: string, count: number) =>
  person.page.evaluate<void>(`(async () => {
    const cache = await caches.open('${name}')
    for (let n = 0; n < ${count}; n += 1) await cache.put('${path}' + n, new Response('', { headers: { 'content-type': 'text/html' } }))
  })()`)

const pathsIn = (name: string) =>
  person.page.evaluate<string[]>(
    `caches.open('${name}').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => new URL(url).pathname))`,
  )

const press = () => person.page.locator(`#row-${works.onAir} form[data-act=record] button`).click()

describe.skipIf(!hasChromium)('a device keeps', () => {
  test('500 presses; the next one says so, and is not done', async () => {
    const entry = { user: '1', path: '/record', fields: [], form_id: 'x', done_at: '', label: 'x', swap: '' }
    const waits = { ...entry, tries: 0, state: 'needs_you', why: '' }
    await putInto(
      'outbox',
      Array.from({ length: 500 }, (_, n) => ({ ...waits, n: n + 1 })),
    )
    await press()
    await person.page.getByText('500 presses are waiting on this device. Send them first.').waitFor()
    expect((await keptOnDevice(person)).outbox).toHaveLength(500)
    expect(rowsOf(site.instance.store.handle, 'records')).toEqual([])
    await removeFrom('outbox', 500)
    await press()
    await person.told(/Recorded episode 1/)
    expect((await keptOnDevice(person)).outbox).toHaveLength(499)
  })

  test('drafts for 30 days', async () => {
    const draft = { user: '1', fields: { comment: 'x' }, base: '' }
    const at = await person.page.evaluate<number>('Date.now()')
    await putInto('drafts', [
      { ...draft, key: 'old', at: at - 30 * day },
      { ...draft, key: 'newer', at: at - 29 * day },
    ])
    await person.page.goto(`${site.baseUrl}/about`)
    await until(async () => (await keptOnDevice(person)).drafts.length < 2)
    expect((await keptOnDevice(person)).drafts).toMatchObject([{ key: 'newer' }])
  })

  test('the newest 40 pages', async () => {
    // The last that the page before keeps by itself.
    await until(async () => (await pathsIn('kiroku-me-1')).includes('/settings/phone'))
    await fillCache('kiroku-me-1', '/kept-', 60)
    await person.page.goto(`${site.baseUrl}/@mio/library/watching`)
    await until(async () => (await pathsIn('kiroku-me-1')).length <= 40)
    const paths = await pathsIn('kiroku-me-1')
    expect([paths.length, paths.at(-1)]).toEqual([40, '/@mio/library/watching'])
    expect(paths.filter((path) => path.startsWith('/kept-')).at(-1)).toBe('/kept-59')
  })

  test('the newest 60 assets and covers beside those that every page needs, which never go', async () => {
    const shell = await pathsIn('kiroku-shell')
    const style = shell.find((path) => path.startsWith('/assets/'))
    expect(shell).toContain('/offline')
    await fillCache('kiroku-shell', '/covers/made-up-', 100)
    await person.page.evaluate(`fetch('${style}?again').then((answer) => answer.text())`)
    const covers = async () => (await pathsIn('kiroku-shell')).filter((path) => path.startsWith('/covers/'))
    await until(async () => (await covers()).length <= 60)
    expect(await covers()).toEqual(Array.from({ length: 60 }, (_, n) => `/covers/made-up-${40 + n}`))
    expect(await pathsIn('kiroku-shell')).toEqual(expect.arrayContaining(['/offline', style]))
  })

  test('pages that it shows for 14 days', async () => {
    const { page, context } = person
    const keptFor = (days: number) =>
      page.evaluate<void>(`(async () => {
        const cache = await caches.open('kiroku-me-1')
        const kept = await cache.match('/', { ignoreVary: true })
        const headers = new Headers(kept.headers)
        headers.set('X-Kiroku-Kept', String(Date.now() - ${days * day}))
        await cache.put('/', new Response(await kept.text(), { headers }))
      })()`)
    await until(async () => (await pathsIn('kiroku-me-1')).includes('/'))
    await context.setOffline(true)
    for (const [days, rows] of [
      [13.9, 1],
      [14, 0],
    ] as const) {
      await keptFor(days)
      await page.goto(site.baseUrl)
      expect([days, await page.locator(`#row-${works.onAir}`).count()]).toEqual([days, rows])
    }
    expect(await page.title()).toContain('No connection')
  })

  test('no draft of who has signed out', async () => {
    const { page } = person
    const draft = { fields: { comment: 'x' }, base: '', at: await page.evaluate<number>('Date.now()') }
    await putInto('drafts', [
      { ...draft, key: 'own', user: '1' },
      { ...draft, key: 'of another', user: '2' },
    ])
    await page.goto(`${site.baseUrl}/settings`)
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.waitForURL((url) => url.pathname !== '/settings')
    expect((await keptOnDevice(person)).drafts).toMatchObject([{ key: 'of another' }])
  })
})
