import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createSite, hasChromium, looks, type Site } from '../support/chromium'
import { fillCatalogue, type Person, personAt, works } from '../support/flows'
import { addRecords } from '../support/watched-rows'

let site: Site
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  await fillCatalogue(site)
  for (const work of [works.onAir, works.estimated, works.complete])
    site.instance.store.handle.run(
      "insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)",
      [work],
    )
  const at = site.instance.clock.now - 3_600_000
  await addRecords(
    site.instance,
    [1, 2].flatMap((user_id) => [
      { user_id, episode_id: works.complete * 100 + 1, watched_at: at, comment: '夜の場面' },
      { user_id, episode_id: works.complete * 100 + 2, watched_at: at - 86_400_000 },
    ]),
  )
}, 60_000)
afterAll(() => site?.close())
beforeEach(() => {
  site?.instance.store.handle.run('delete from follows')
})

/** Includes shifts that follow an act. */
const watchShifts = `
  window.shifts = []
  const placeOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
  const nameOf = ({ node, previousRect, currentRect }) =>
    (node?.className || node?.nodeName || '?') + ' from ' + placeOf(previousRect) + ' to ' + placeOf(currentRect)
  const note = (entries) => {
    for (const { value, sources } of entries) shifts.push(value.toFixed(4) + ' ' + sources.map(nameOf).join(', '))
  }
  window.shiftObserver = new PerformanceObserver((list) => note(list.getEntries()))
  shiftObserver.observe({ type: 'layout-shift', buffered: true })
  window.noteShifts = () => note(shiftObserver.takeRecords())`

/** The page's shifts so far, once its visible pictures have loaded. */
const shiftsOf = (page: Page) =>
  page.evaluate<string[]>(`new Promise((done) => {
    const isThere = (image) => image.complete || image.getBoundingClientRect().top > innerHeight
    const look = () => requestAnimationFrame([...document.images].every(isThere) ? drawn : look)
    // A shift is known at the end of the frame that it happens in.
    const drawn = () => requestAnimationFrame(() => requestAnimationFrame(tell))
    const tell = () => {
      noteShifts()
      done(shifts.splice(0))
    }
    look()
  })`)

const paths = [
  ...['/', '/search?q=%E8%91%AC%E9%80%81', '/seasons/2026-spring', `/works/${works.onAir}`, '/welcome'],
  `/works/${works.complete}/episodes/1`,
  ...['/@mio/library/watching', '/@mio/diary', '/@mio', '/@Ritsu_T', '/settings/history'],
]

describe.skipIf(!hasChromium).each(looks)('nothing moves, %o', (look) => {
  let person: Person
  beforeAll(async () => {
    person = await personAt(site, 'mio', { ...look, timezoneId: 'Asia/Tokyo' })
    // The server knows the zone from the sign-in page on; before that, times change in place.
    await person.page.goto(`${site.baseUrl}/about`)
    await person.page.addInitScript(watchShifts)
    // Late enough to arrive after the first paint.
    for (const late of ['**/script*.js', '**/covers/*'])
      await person.context.route(late, async (route) => {
        await Bun.sleep(80)
        await route.continue()
      })
  })
  afterAll(() => person.context.close())

  test.each(paths)('while %s loads', async (path) => {
    await person.page.goto(site.baseUrl + path)
    const shifts = await shiftsOf(person.page)
    // What a page does is there each time; a busy machine now and then shows one more.
    if (shifts.length > 0) await person.page.reload()
    expect(shifts.length > 0 ? await shiftsOf(person.page) : []).toEqual([])
  })

  test.each([
    ['recording and undoing', '/', '[data-work="101"] [data-act="record"] button', '#toast button'],
    ['planning', '/seasons/2026-spring', '[data-work="105"] button[value="wanna_watch"]', '#toast button'],
    ['following and not', '/@Ritsu_T', '[data-act="follow"] button', '[data-act="unfollow"] button'],
  ])('by %s', async (_, path, first, second) => {
    const { page } = person
    await page.goto(site.baseUrl + path)
    await shiftsOf(page)
    for (const button of [first, second]) {
      const answered = page.waitForResponse((response) => response.request().method() === 'GET')
      await page.locator(button).first().click()
      await answered
      await page.locator('#toast .toast').first().waitFor()
      expect([button, await shiftsOf(page)]).toEqual([button, []])
    }
  })
})

describe.skipIf(!hasChromium)('what waits', () => {
  test.each(looks)('and the toast beside it move nothing, %o (D106)', async (look) => {
    const { page, context } = await personAt(site, 'mio', { ...look, timezoneId: 'Asia/Tokyo' })
    await page.goto(`${site.baseUrl}/about`)
    await page.addInitScript(watchShifts)
    await page.goto(`${site.baseUrl}/works/${works.complete}/episodes/3`)
    // The page has asked whether anything waits.
    await page.locator('.pill-offline[data-outbox="0"]').waitFor({ state: 'attached' })
    await context.setOffline(true)
    // Chromium says it only once: the network of the tests has no internet.
    await page.evaluate(`dispatchEvent(new Event('offline'))`)
    await page.locator('.pill-offline[data-offline]').waitFor()
    const text = await page.locator('.pill-offline').textContent()
    await shiftsOf(page)
    await page.locator('main form[data-queue] button').first().click()
    await page.locator('#toast .toast').waitFor()
    await page.locator('.pill-offline[data-outbox="1"]').waitFor()
    await page.waitForFunction(
      `document.querySelector('.pill-offline').textContent !== ${JSON.stringify(text)}`,
    )
    expect((await shiftsOf(page)).filter((shift) => shift.includes('pill'))).toEqual([])
    const [pill, toast] = await Promise.all(
      ['.pill-offline', '#toast .toast'].map((one) => page.locator(one).boundingBox()),
    )
    expect((pill?.y ?? 0) + (pill?.height ?? 0)).toBeLessThanOrEqual(toast?.y ?? 0)
    await context.close()
  })
})

/** What is cut off, or leaves what it stands in; strips of tabs scroll. */
const cutOff = `[...document.querySelectorAll('.top, .navigation a, .search kbd, .card form, .card > *, main h1, main button')]
  .filter((one) => one.checkVisibility() && !one.matches('.name'))
  .filter((one) => one.scrollWidth > one.clientWidth + 2 || one.scrollHeight > one.clientHeight + 6)
  .map((one) => one.outerHTML.slice(0, 80) + ' ' + [one.clientWidth, one.clientHeight, one.scrollWidth, one.scrollHeight])`

const twice = `
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('html { font-size: 200% }')
  document.adoptedStyleSheets = [sheet]
  document.documentElement.scrollWidth`

describe.skipIf(!hasChromium).each(looks)('text at twice the size, %o', (look) => {
  let person: Person
  beforeAll(async () => {
    site.instance.store.handle.run("update users set is_admin = 1 where username = 'mio'")
    person = await personAt(site, 'mio', look)
  })
  afterAll(async () => {
    site.instance.store.handle.run("update users set is_admin = 0 where username = 'mio'")
    await person.context.close()
  })

  test.each([...paths, '/admin', '/settings/channels'])(
    'stays on the screen and whole on %s',
    async (path) => {
      await person.page.goto(site.baseUrl + path)
      expect(await person.page.evaluate<number>(twice)).toBe(look.viewport?.width ?? 0)
      expect(await person.page.evaluate<string[]>(cutOff)).toEqual([])
    },
  )
})

test.skipIf(!hasChromium)(
  'text at twice the size stays on the screen beside what was recorded today',
  async () => {
    const { page, context } = await personAt(site, 'mio', { ...looks[0] })
    await page.goto(site.baseUrl)
    await page.locator('[data-work="101"] [data-act="record"] button').first().click()
    await page.locator('.broadcast .state').waitFor()
    expect(await page.evaluate<number>(twice)).toBe(360)
    expect(
      await page.evaluate<number>(
        `document.querySelector('.broadcast .state').getBoundingClientRect().right`,
      ),
    ).toBeLessThan(360)
    await page.locator('#toast button').click()
    await page.locator('.broadcast .state').waitFor({ state: 'detached' })
    await context.close()
  },
)

describe.skipIf(!hasChromium)('the channels', () => {
  test('are all in sight: nothing floats above them, and Save stands before and after them', async () => {
    const { handle } = site.instance.store
    for (let id = 900; id < 960; id += 1)
      handle.run('insert into channels (id, channel_group_id, name, source_id) values (?, 90, ?, 1)', [
        id,
        `局${id}`,
      ])
    const { context, page } = await personAt(site, 'mio', { ...looks[0] })
    await page.goto(`${site.baseUrl}/settings/channels`)
    const above = await page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
      .filter((one) => ['sticky', 'fixed'].includes(getComputedStyle(one).position)).map((one) => one.outerHTML)`)
    expect(above).toEqual([])
    await page.locator('[name=channel_900]').check()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.waitForURL('**/settings')
    expect(handle.query('select channel_id from user_channels where user_id = 1').all()).toEqual([
      { channel_id: 900 },
    ])
    expect(await page.goBack().then(() => page.getByRole('button', { name: 'Save' }).count())).toBe(2)
    await context.close()
  })
})
