import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { findings, layoutProblems } from '../support/findings'
import { type Person, personAt } from '../support/flows'
import { fill } from '../support/seed'

const movie = { media: 'movie', no_episodes: 1 } as const
const films = [
  { id: 201, title: 'サマーウォーズ', title_en: 'Summer Wars', season_year: 2009, ...movie },
  { id: 202, title: '崖の上のポニョ', title_en: 'Ponyo', season_year: 2008, ...movie },
  { id: 203, title: '時をかける少女', title_en: 'The Girl Who Leapt', season_year: 2006, ...movie },
]

let site: Site
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  await fill(site.instance.store, { works: films })
}, 60_000)
afterAll(() => site?.close())
beforeEach(() => {
  if (!hasChromium) return
  for (const table of ['acts', 'reviews', 'statuses']) site.instance.store.handle.run(`delete from ${table}`)
})

const logged = () =>
  rowsOf(site.instance.store.handle, 'reviews').map(({ work_id, watched_at, watched_at_precision }) => [
    work_id,
    `${new Date(Number(watched_at)).getUTCFullYear()} ${watched_at_precision}`,
  ])

const focused = (page: Page) => page.evaluate('document.activeElement.name')
const openDate = 'label:has([value="date"])'
const face = (state: string) => `[name="rating_state"][value="${state}"]`

describe.skipIf(!hasChromium)('a member who enters the films of a list', () => {
  let person: Person
  beforeAll(async () => {
    person = await personAt(site, 'mio', {
      ...{ viewport: { width: 360, height: 780 }, locale: 'en', reducedMotion: 'reduce' },
    })
  })
  afterAll(() => person.context.close())

  async function find(text: string): Promise<void> {
    const { page } = person
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(text)
    await page.locator('#found', { hasText: text }).waitFor()
    person.taps = 0
  }

  test('needs three taps and a year for the first one, two for the next one of that year, and no tap to search', async () => {
    const { page, tap, told } = person
    await page.goto(`${site.baseUrl}/search?q=`)
    expect(await focused(page)).toBe('q')
    await find('summer')
    await tap('[data-focus="log-201"]')
    await tap(`dialog ${openDate}`)
    expect(await focused(page)).toBe('watched_at')
    await page.keyboard.type('2010')
    await tap(`dialog ${face('great')}`)
    await told(/Recorded Summer Wars/)
    expect([person.taps, await focused(page)]).toEqual([3, 'q'])
    await find('ponyo')
    await tap('[data-focus="log-202"]')
    await tap(`dialog ${face('good')}`)
    await told(/Recorded Ponyo/)
    expect([person.taps, await focused(page)]).toEqual([2, 'q'])
    expect(logged()).toEqual([
      [201, '2010 year'],
      [202, '2010 year'],
    ])
    expect(await page.locator('#row-202').textContent()).toContain('Watched: 2010')
  })

  test('can correct an invalid date: the dialog says so and keeps what was typed', async () => {
    const { page, tap, told } = person
    await page.goto(`${site.baseUrl}/search?q=ponyo`)
    await tap('[data-focus="log-202"]')
    await tap(`dialog ${openDate}`)
    await page.keyboard.type('2000s')
    await tap(`dialog ${face('good')}`)
    await page.locator('dialog .problems', { hasText: 'cannot be a decade' }).waitFor()
    expect(logged()).toEqual([])
    expect(await page.inputValue('dialog [name="watched_at"]')).toBe('2000s')
    await tap('dialog label:has([value="none"])')
    await tap(`dialog ${face('good')}`)
    await told(/Recorded Ponyo/)
    expect(logged().map(([work, when]) => [work, String(when).slice(5)])).toEqual([[202, 'none']])
  })

  test('types over the date of the previous film after one press, and a comment after another', async () => {
    const { page, tap, told } = person
    for (const [id, name, press] of [
      [201, 'summer', `dialog ${openDate}`],
      [202, 'ponyo', 'dialog [name="watched_at"]'],
    ] as const) {
      await page.goto(`${site.baseUrl}/search?q=${name}`)
      await tap(`[data-focus="log-${id}"]`)
      await tap(press)
      await page.keyboard.type(`201${id - 201}-08`)
      await tap('dialog summary')
      await page.keyboard.type(name)
      await tap(`dialog ${face('good')}`)
      await told(/Recorded/)
    }
    expect(logged()).toEqual([
      [201, '2010 month'],
      [202, '2011 month'],
    ])
    expect(rowsOf(site.instance.store.handle, 'reviews').map(({ body }) => body)).toEqual(['summer', 'ponyo'])
  })

  test('reaches all choices of the date with the arrow keys', async () => {
    const { page, tap } = person
    await page.goto(`${site.baseUrl}/search?q=ponyo`)
    await tap('[data-focus="log-202"]')
    await page.locator('dialog').waitFor()
    const chosen = 'document.querySelector("dialog :focus").value'
    const values: unknown[] = [await page.evaluate(chosen)]
    for (let step = 1; step < 4; step += 1) {
      await page.keyboard.press('ArrowRight')
      values.push(await page.evaluate(chosen))
    }
    expect(values).toEqual(['time', 'aired', 'date', 'none'])
  })
})

/** For one page, which is not reloaded: phone and desktop, light and dark, and desktop at 400 %; with what may differ. */
const sights = [
  [1280, 800, 'light', ['target-size']],
  [1280, 800, 'dark', ['color-contrast']],
  [320, 256, 'light', []],
  [360, 780, 'dark', ['color-contrast']],
] as const

type State = readonly [path: string, ...taps: string[]]

const states: readonly State[] = [
  ['/search?q=ponyo', '[data-focus="log-202"]', `dialog ${openDate}`, 'dialog summary'],
  ['/search?q=summer', '#row-201 summary'],
  ['/search?q=no-such-film-anywhere'],
  ['/works/201', `main ${openDate}`, '.next-box summary'],
  ['/works/203/viewing', openDate],
  ['/viewings/1/edit', openDate],
  ['/@mio/diary/2010', '.year-head summary'],
  ['/@mio/library/watched?sort=rating', '.library-head summary'],
]

describe.skipIf(!hasChromium)('films in every state follow all rules', () => {
  let person: Person
  beforeAll(async () => {
    // Colours change immediately with the theme.
    const reducedMotion = 'reduce'
    person = await personAt(site, 'mio', {
      viewport: { width: 360, height: 780 },
      locale: 'ja',
      reducedMotion,
    })
  })
  afterAll(() => person.context.close())
  beforeEach(async () => {
    if (!hasChromium) return
    const at = Date.UTC(2010, 0, 1, 12)
    const seen = { user_id: 1, work_id: 201, created_at: at, watched_at: at, watched_at_precision: 'year' }
    await fill(site.instance.store, {
      reviews: [{ id: 1, ...seen, rating_overall_state: 'great', body: '夏になると見たくなる。' }],
      statuses: [{ user_id: 1, work_id: 201, kind: 'watched', changed_at: at }],
    } as never)
  })

  /** All rules for a light phone; then those about size and colours. */
  async function problems(): Promise<string[]> {
    const { page } = person
    const found = [...(await findings(page)), ...(await layoutProblems(page))]
    for (const [width, height, colorScheme, rules] of sights) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      if (rules.length > 0) found.push(...(await findings(page, rules)))
      found.push(...(await layoutProblems(page)))
    }
    await page.setViewportSize({ width: 360, height: 780 })
    await page.emulateMedia({ colorScheme: 'light' })
    return found
  }

  test.each(states.map((state) => ({ state, path: state[0] })))(
    '$path keeps to WCAG 2.2 AA and to the screen',
    async ({ state }) => {
      const [path, ...taps] = state
      await person.page.goto(site.baseUrl + path)
      for (const one of taps) await person.tap(one)
      expect(await problems()).toEqual([])
    },
  )

  test('so do a refused date and a logged viewing', async () => {
    const { page, tap, told } = person
    await page.goto(`${site.baseUrl}/works/203`)
    await tap(`main ${openDate}`)
    await page.keyboard.type('long ago')
    await tap('main button.filled')
    await page.locator('.problems').waitFor()
    expect(await problems()).toEqual([])
    await tap('label:has([value="none"])')
    await tap('main button.filled')
    await told(/記録しました/)
    expect(await problems()).toEqual([])
  })
})
