import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { fillCatalogue, type Person, personAt, works } from '../support/flows'
import { addRecords } from '../support/watched-rows'

let site: Site
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  await fillCatalogue(site)
  const { handle } = site.instance.store
  for (const kind of ['watching', 'wanna_watch'])
    handle.run('insert or ignore into statuses (user_id, work_id, kind, changed_at) values (1, ?, ?, 1)', [
      works.complete,
      kind,
    ])
  handle.run('insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, ?, 1)', [
    works.estimated,
    'watching',
  ])
  handle.run("update works set released_on = '2003-10-04' where id = ?", [works.complete])
  const day = 86_400_000
  const seen = [
    ...[1, 2, 3].map((number) => ({ episode_id: works.complete * 100 + number, day: 0 })),
    ...[1, 2, 3, 4, 5, 6].map((number) => ({ episode_id: works.estimated * 100 + number, day: 0 })),
  ]
  const often = Array.from({ length: 16 }, (_, number) => ({
    episode_id: works.onAir * 100 + 1 + (number % 12),
    day: 31,
  }))
  await addRecords(
    site.instance,
    [...seen, ...often].map(({ episode_id, day: days }, minute) => ({
      user_id: 1,
      work_id: Math.floor(episode_id / 100),
      episode_id,
      watched_at: site.instance.clock.now - days * day - minute * 60_000,
    })),
  )
}, 60_000)
afterAll(() => site?.close())

const marks = `Z${Array.from({ length: 1000 }, (_, at) => String.fromCodePoint(0x300 + (at % 100))).join('')}`

/** The left, top, right and bottom of each element. */
const boxesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all.map((one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect()
      return { left, top, right, bottom }
    }),
  )

describe.skipIf(!hasChromium).each([
  [360, 'en'],
  [360, 'ja'],
  [1280, 'en'],
] as const)('at %i px in %s', (width, locale) => {
  let person: Person
  beforeAll(async () => {
    person = await personAt(site, 'mio', { locale, viewport: { width, height: 800 } })
  })
  afterAll(() => person.context.close())

  test('the two buttons after the last episode have the same height and are side by side', async () => {
    await person.page.goto(`${site.baseUrl}/works/${works.complete}`)
    const [done, again, ...more] = await boxesOf(person.page, '.next-box button')
    expect([done?.top, done?.bottom, more]).toEqual([again?.top, again?.bottom, []])
    expect((again?.left ?? 0) - (done?.right ?? 0)).toBe(8)
  })

  test('a work watched to its end says so in full, next to what can be done', async () => {
    await person.page.goto(`${site.baseUrl}/`)
    const cut = await person.page
      .locator(`[data-work="${works.estimated}"] .upcoming`)
      .evaluateAll((all) => all.map((one) => one.scrollWidth > one.clientWidth))
    expect(cut).toEqual([false])
  })

  test('the first line of a fact is level with its name', async () => {
    await person.page.goto(`${site.baseUrl}/works/${works.complete}`)
    const names = await boxesOf(person.page, '.facts dt')
    const values = await boxesOf(person.page, '.facts dd')
    expect(values.some(({ top, bottom }) => bottom - top > 40)).toBe(width === 1280)
    expect(names.map(({ top }, at) => Math.abs(top - (values[at]?.top ?? 0)) < 8)).toEqual(
      names.map(() => true),
    )
  })

  test('the entries of a menu have the same size and left edge', async () => {
    await person.page.goto(`${site.baseUrl}/works/${works.complete}`)
    const sizes = await person.page.evaluate<string[]>(
      `[...document.querySelectorAll('.status-line .entries button')].map((one) => getComputedStyle(one).fontSize)`,
    )
    expect([...new Set(sizes)]).toHaveLength(1)
    const icons = await person.page
      .locator('.work-menu .entries :is(a, button)')
      .evaluateAll((all) => all.map((one) => one.querySelector('svg') !== null))
    expect(icons.length).toBeGreaterThan(3)
    expect(new Set(icons)).toEqual(new Set([true]))
  })

  test('the chosen kind of results is visible', async () => {
    await person.page.goto(`${site.baseUrl}/search?q=mio&kind=users`)
    const [chosen] = await boxesOf(person.page, '.chips [aria-current]')
    expect(chosen?.right).toBeLessThanOrEqual(width)
  })

  test('a name, an address and a letter of a thousand marks stay on the page', async () => {
    site.instance.store.handle.run("update users set name = ?, url = ? where username = 'Ritsu_T'", [
      'W'.repeat(50),
      `https://drums.example/${'w'.repeat(300)}`,
    ])
    const episode = `/works/${works.onAir}/episodes/1`
    await addRecords(site.instance, [
      { user_id: 2, work_id: works.onAir, episode_id: works.onAir * 100 + 1, watched_at: 1, comment: marks },
    ])
    const own = ['', '/library/all', '/diary/2026', '/diary/2026/4'].map((path) => `/@Ritsu_T${path}`)
    for (const page of [...own, `${episode}?spoilers=show`]) {
      await person.page.goto(site.baseUrl + page)
      expect([page, await person.page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([
        page,
        width,
      ])
    }
  })

  test('no month’s count breaks into two lines', async () => {
    const year = new Date(site.instance.clock.now).getUTCFullYear()
    await person.page.goto(`${site.baseUrl}/@mio/diary/${year}`)
    const heights = (await boxesOf(person.page, '.months > li > * > :last-child')).map(({ top, bottom }) =>
      Math.round(bottom - top),
    )
    expect(await person.page.locator('.months').textContent()).toContain('16')
    expect(new Set(heights).size).toBe(1)
  })
})
