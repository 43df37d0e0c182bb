import { describe, expect, test } from 'bun:test'
import { cookieName } from '../../src/web/cookies'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { type Person, works } from '../support/flows'
import { keptOnDevice, openUnderWorker, person, site, useLateSite } from '../support/late-site'
import { until } from '../support/until'
import { createMember } from '../support/visitor'

useLateSite(openUnderWorker)

/** Every page in every cache, by its path. */
const cached = () =>
  person.page.evaluate<[cache: string, path: string, text: string][]>(`(async () => {
    const all = []
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) {
        const response = await caches.match(request, { ignoreVary: true })
        const { pathname, search } = new URL(request.url)
        if (response.headers.get('content-type').startsWith('text/html')) all.push([name, pathname + search, await response.text()])
      }
    return all
  })()`)

const ofPerson = async () => (await cached()).filter(([name]) => name.startsWith('kiroku-me-'))

test.skipIf(!hasChromium)(
  'a press waits for the page of now, not for the copy that stands in for it',
  async () => {
    const { page } = person
    const { instance } = site
    const { handle } = instance
    let answer = () => {}
    const held = new Promise<void>((done) => {
      answer = done
    })
    let isAsked = false
    const slow: typeof handle = async (request, ...rest) => {
      if (request.method === 'GET' && new URL(request.url).pathname === '/') {
        isAsked = true
        await held
      }
      return await handle(request, ...rest)
    }
    Object.assign(instance, { handle: slow })
    try {
      await page.locator(`#row-${works.onAir} form[data-act=record] button`).click()
      await until(() => isAsked)
      // Asked later, and answered with the copy.
      const text = await page.evaluate<string>(
        `fetch('/', { headers: { Accept: 'text/html' } }).then((response) => response.text())`,
      )
      expect(text).toContain('data-kept')
      expect(await page.locator('.pill-offline[data-offline]').count()).toBe(0)
      answer()
      await person.told(/Recorded episode 1/)
    } finally {
      answer()
      Object.assign(instance, { handle })
    }
  },
)

test.skipIf(!hasChromium)('what waits is listed without a network, by its pill', async () => {
  const { page, context } = person
  await until(async () => (await ofPerson()).some(([, path]) => path === '/settings/phone'))
  await context.setOffline(true)
  await page.locator(`#row-${works.onAir} form[data-act=record] button`).click()
  await page.locator('[data-outbox="1"] a').click()
  await page.locator('[data-part=waiting] li', { hasText: 'Frieren' }).waitFor()
  expect(page.url()).toBe(`${site.baseUrl}/settings/phone`)
  await page.locator('[data-outbox="1"][data-offline]').waitFor()
  await context.setOffline(false)
  await until(() => rowsOf(site.instance.store.handle, 'records').length === 1)
})

describe.skipIf(!hasChromium)('a device keeps', () => {
  test('Track, the own library, the next sheets and the list of what waits, and no page of anybody else, wherever one goes (D109)', async () => {
    const { page } = person
    const paths = [
      '/@mio/library/watching',
      '/@Ritsu_T',
      '/@Ritsu_T/library/watching',
      `/works/${works.onAir}`,
      '/settings',
    ]
    for (const path of paths) await page.goto(site.baseUrl + path)
    await page.goto(site.baseUrl)
    await until(async () => (await ofPerson()).length === 4)
    const all = await cached()
    expect(all.map(([name, path]) => [name, path.replace(/\?.*/, '')]).sort()).toEqual([
      ['kiroku-me-1', '/'],
      ['kiroku-me-1', '/@mio/library/watching'],
      ['kiroku-me-1', '/record/new'],
      ['kiroku-me-1', '/settings/phone'],
      ['kiroku-shell', '/offline'],
    ])
    for (const [name, , text] of all) {
      expect(text).not.toContain('Ritsu')
      expect(text.includes('mio')).toBe(name === 'kiroku-me-1')
    }
  })

  test('nothing after signing out, or once somebody else is signed in', async () => {
    const { page, context } = person
    expect(await ofPerson()).not.toEqual([])
    await page.evaluate(`caches.open('kiroku-shell').then((shell) =>
      shell.put('/covers/hers', new Response('', { headers: { 'content-type': 'image/svg+xml' } })))`)
    const name = cookieName('sid', site.baseUrl)
    const { cookies } = await createMember(site.instance, 'azusa')
    await context.addCookies([{ name, value: cookies.get(name) ?? '', url: site.baseUrl }])
    await page.goto(`${site.baseUrl}/settings`)
    // The page before it may have asked for azusa's list of what waits meanwhile: that one is hers, and is kept.
    await until(async () => (await ofPerson()).every(([cache]) => cache === 'kiroku-me-4'))
    await until(() =>
      page.evaluate<boolean>("caches.match('/covers/hers').then((cover) => cover === undefined)"),
    )
    await page.goto(site.baseUrl)
    await until(async () => (await ofPerson()).some(([, path]) => path === '/'))
    expect(new Set((await ofPerson()).map(([cache]) => cache))).toEqual(new Set(['kiroku-me-4']))
    await page.goto(`${site.baseUrl}/settings`)
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.waitForURL((url) => url.pathname === '/' || url.pathname === '/sign_in')
    await until(async () => (await ofPerson()).length === 0)
  })

  // At the server: a worker's requests pass no `route` of the browser.
  test.each([200, 502])(
    'its pages though a captive portal or a proxy answers with %i, and shows them instead',
    async (status) => {
      const { page } = person
      const { instance } = site
      const { handle } = instance
      const kept = (await ofPerson()).length
      let answers = 0
      const portal: typeof handle = async () => {
        answers += 1
        const headers = { 'Content-Type': 'text/html' }
        return new Response('<h1>Please pay for this network</h1>', { status, headers })
      }
      Object.assign(instance, { handle: portal })
      try {
        await page.goto(site.baseUrl)
        expect(await page.locator(`#row-${works.onAir}`).count()).toBe(1)
        expect(answers).toBeGreaterThan(0)
        expect((await ofPerson()).length).toBeGreaterThanOrEqual(kept)
      } finally {
        Object.assign(instance, { handle })
      }
    },
  )
})

test.skipIf(!hasChromium)('signing out with presses that wait asks what becomes of them', async () => {
  const { page, context } = person
  const leave = async (answer: string) => {
    await page.goto(`${site.baseUrl}/settings`)
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: answer }).click()
  }
  await page.route('**/record', (route) => route.abort())
  await page.locator(`#row-${works.onAir} form[data-act=record] button`).click()
  await page.locator('[data-outbox="1"]').waitFor()
  await leave('Keep until I am back')
  await page.waitForURL((url) => url.pathname !== '/settings')
  expect((await keptOnDevice(person)).outbox).toHaveLength(1)
  const name = cookieName('sid', site.baseUrl)
  const { cookies } = await createMember(site.instance, 'mio')
  await context.addCookies([{ name, value: cookies.get(name) ?? '', url: site.baseUrl }])
  await leave('Throw away')
  await page.waitForURL((url) => url.pathname !== '/settings')
  expect((await keptOnDevice(person)).outbox).toEqual([])
  expect(rowsOf(site.instance.store.handle, 'records')).toEqual([])
})

test.skipIf(!hasChromium).each([
  [
    'discarded on the page of what waits',
    async ({ page }: Person) => {
      await page.goto(`${site.baseUrl}/settings/phone`)
      await page.locator('[data-part=waiting]').getByRole('button', { name: 'Discard' }).click()
    },
  ],
  [
    'thrown away at sign-out',
    async ({ page }: Person) => {
      await page.goto(`${site.baseUrl}/settings`)
      await page.getByRole('button', { name: 'Sign out' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Throw away' }).click()
      await page.waitForURL((url) => url.pathname !== '/settings')
    },
  ],
])('what is %s is never done, also if the server had it (D107)', async (_, drop) => {
  const { page } = person
  const written = () => rowsOf(site.instance.store.handle, 'records').map(({ comment }) => comment)
  const nothingWaits = () => until(async () => (await keptOnDevice(person)).outbox.length === 0)
  await page.route('**/record', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.locator(`#row-${works.onAir} form[data-act=record] button`).click()
  await person.told(/Waiting/)
  expect(written()).toEqual([''])
  await drop(person)
  await until(() => written().length === 0)
  await nothingWaits()
  await page.unrouteAll()
  await page.goto(site.baseUrl)
  await nothingWaits()
  expect(written()).toEqual([])
})
