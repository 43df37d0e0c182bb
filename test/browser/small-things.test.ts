import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { fillCatalogue, type Person, personAt, works } from '../support/flows'
import { addRecords } from '../support/watched-rows'

const phone = { viewport: { width: 390, height: 844 }, locale: 'en', timezoneId: 'Asia/Tokyo' }

let site: Site
let person: Person
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  await fillCatalogue(site)
  const { handle } = site.instance.store
  handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)", [
    works.onAir,
  ])
  handle.run('update episodes set number = null, number_text = ? where id = ?', [
    'スペシャル「旅立ちの日、そして長い長い回想の章」',
    works.complete * 100 + 1,
  ])
  const at = site.instance.clock.now - 3_600_000
  await addRecords(site.instance, [
    {
      user_id: 1,
      work_id: works.complete,
      episode_id: works.complete * 100 + 1,
      watched_at: at,
      rating_state: 'great',
    },
  ])
  person = await personAt(site, 'mio', phone)
}, 60_000)
afterAll(async () => {
  await person?.context.close()
  await site?.close()
})

const sizes = (selector: string) =>
  person.page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))

describe.skipIf(!hasChromium)('on a phone', () => {
  test.each(['/@mio', '/@mio/diary'])(
    'a row of %s is as high as its cover, whatever its episode is called',
    async (path) => {
      await person.page.goto(site.baseUrl + path)
      const [row] = await sizes('.watched-work')
      const [line] = await sizes('.watched-work .line')
      const [cover] = await sizes('.watched-work .cover')
      expect(row.height).toBe(60)
      expect(line.bottom).toBeLessThanOrEqual(cover.bottom)
    },
  )

  test('the button that records is no narrower than the one beside it, and has one line', async () => {
    await person.page.goto(`${site.baseUrl}/works/${works.onAir}`)
    const [record, sheet] = await sizes('.next-box .acts :is(button, .button)')
    expect(record.height).toBe(44)
    expect(record.width).toBeGreaterThanOrEqual(sheet.width)
  })

  test('a card’s button is one line, and links are at least 24 px high', async () => {
    await person.page.goto(`${site.baseUrl}/seasons/2026-spring`)
    for (const { height } of await sizes('.card button')) expect(height).toBe(44)
    await person.page.goto(`${site.baseUrl}/works/${works.complete}`)
    for (const { height } of await sizes('.facts a, a.work')) expect(height).toBeGreaterThanOrEqual(24)
  })

  test('twelve episodes are two rows of six', async () => {
    await person.page.goto(`${site.baseUrl}/works/${works.onAir}`)
    expect(await rowsOfStrip()).toEqual([6, 6])
  })
})

const rowsOfStrip = async () =>
  [...Map.groupBy(await sizes('.strip > li'), ({ y }) => y).values()].map((row) => row.length)

describe.skipIf(!hasChromium)('the strip of episodes', () => {
  const cellInFocus = () => person.page.evaluate("document.activeElement.closest('.cell')?.innerText")

  test('has a row of twelve on a desktop, and of thirteen for thirteen', async () => {
    await person.page.setViewportSize({ width: 1280, height: 800 })
    await person.page.goto(`${site.baseUrl}/works/${works.onAir}`)
    expect(await rowsOfStrip()).toEqual([12])
    const last = works.planned * 100 + 13
    site.instance.store.handle.run(
      "insert into episodes (id, work_id, number, number_text, sort_number, source_id) values (?, ?, '13', '第13話', 130, 1)",
      [last, works.planned],
    )
    await person.page.goto(`${site.baseUrl}/works/${works.planned}`)
    expect(await rowsOfStrip()).toEqual([13])
  })

  test('is one Tab stop, the next episode, with arrow keys inside, also after recording', async () => {
    const { page } = person
    await page.goto(`${site.baseUrl}/works/${works.onAir}`)
    const stops = () =>
      page.evaluate<number>(
        "[...document.querySelectorAll('.strip .cell')].filter((one) => one.tabIndex === 0).length",
      )
    expect(await stops()).toBe(1)
    await page.locator('.strip .cell.next').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await cellInFocus()).toBe('3')
    await page.keyboard.press('End')
    expect(await cellInFocus()).toBe('12')
    await page.keyboard.press('Home')
    expect(await cellInFocus()).toBe('1')
    await page.keyboard.press('Tab')
    expect(await cellInFocus()).toBeUndefined()
    await page.click('.next-box button.filled')
    await person.told(/Recorded/)
    await page.locator('.strip .cell.seen').waitFor()
    expect(await stops()).toBe(1)
    await page.click('#toast button')
    await person.told(/Undone/)
  })

  test('shows without our colours what was seen', async () => {
    await person.page.emulateMedia({ forcedColors: 'active' })
    await person.page.goto(`${site.baseUrl}/works/${works.complete}`)
    const edges = await person.page.evaluate<string[]>(
      "[...document.querySelectorAll('.strip .cell')].map((one) => one.className.split(' ').at(-1) + ' ' + getComputedStyle(one).borderBottomWidth)",
    )
    await person.page.emulateMedia({ forcedColors: 'none' })
    expect(edges).toEqual(['seen 6px', 'next 3px', 'aired 1px'])
  })
})

describe.skipIf(!hasChromium)('a title from right to left', () => {
  const title = '\u202eمرحبا abc'
  const boxOf = (text: string) =>
    person.page.evaluate<{ left: number; right: number } | undefined>(`(() => {
      const walker = document.createTreeWalker(document.querySelector('#toast .toast span'), NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(${JSON.stringify(text)})
        if (at < 0) continue
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + ${text.length})
        const { left, right } = range.getBoundingClientRect()
        return { left, right }
      }
    })()`)

  test('leaves the sentence of a toast around it in order', async () => {
    site.instance.store.handle.run("update works set title = ?, title_en = '' where id = ?", [
      title,
      works.planned,
    ])
    await person.page.setViewportSize({ width: 1280, height: 800 })
    await person.page.goto(`${site.baseUrl}/works/${works.planned}/dates`)
    await person.page.click('button[value="watching"]')
    await person.told(/Watching/)
    const [name, status] = [await boxOf('abc'), await boxOf('Watching')]
    expect(status?.left).toBeGreaterThan(name?.right ?? Number.POSITIVE_INFINITY)
  })
})

describe.skipIf(!hasChromium)('on a phone, nothing is wider than the screen', () => {
  const widthAt = (size: string) =>
    person.page.evaluate<number>(`(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('html { font-size: ${size} }')
      document.adoptedStyleSheets = [sheet]
      return document.documentElement.scrollWidth
    })()`)

  test.each(['/seasons/2026-spring', '/seasons/2026-spring?view=list', `/works/${works.onAir}`, '/@mio'])(
    'on %s with text at twice the size',
    async (path) => {
      await person.page.setViewportSize({ width: 360, height: 720 })
      await person.page.goto(site.baseUrl + path)
      expect(await widthAt('200%')).toBe(360)
    },
  )

  test('whatever a title is: combining marks without end, or 300 characters, which take six lines', async () => {
    await person.page.setViewportSize({ width: 360, height: 720 })
    const set = (title: string) =>
      site.instance.store.handle.run(
        "update works set title = ?, title_en = '', title_ro = '' where id = ?",
        [title, works.planned],
      )
    set(`g${'\u0489\u20dd\u0338'.repeat(90)}`)
    await person.page.goto(`${site.baseUrl}/works/${works.planned}`)
    expect(await widthAt('100%')).toBe(360)
    set('長い題名'.repeat(75))
    await person.page.goto(`${site.baseUrl}/works/${works.planned}`)
    const [head] = await sizes('.work-head > h1')
    expect(head.height).toBeLessThan(6.5 * 17 * 1.4)
    expect(await person.page.locator('.facts').textContent()).toContain('長い題名'.repeat(75))
  })
})

test.skipIf(!hasChromium)(
  'the foot is below the screen, where results that appear do not move it',
  async () => {
    const { page } = person
    const footTop = () => page.evaluate<number>("document.querySelector('.foot').getBoundingClientRect().top")
    for (const viewport of [phone.viewport, { width: 1280, height: 800 }]) {
      await page.setViewportSize(viewport)
      await page.goto(`${site.baseUrl}/search`)
      expect(await footTop()).toBeGreaterThanOrEqual(viewport.height)
      await page.locator('input[name="q"]').first().fill('フリーレン')
      await page.locator('#results .row').first().waitFor()
      expect(await footTop()).toBeGreaterThanOrEqual(viewport.height)
    }
  },
)

test.skipIf(!hasChromium)('the reference of an error page is copied by its button', async () => {
  const { page, context } = person
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${site.baseUrl}/admin`)
  await page.click('[data-copy=reference]')
  await page.locator('[data-copy=reference]', { hasText: 'Copied' }).waitFor()
  const reference = await page.locator('#reference').textContent()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(reference)
})
