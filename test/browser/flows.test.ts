import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createSite, hasChromium, type Site, ways } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { findings, rulesOfLooks } from '../support/findings'
import { fillCatalogue, type Person, personAt, works } from '../support/flows'

let site: Site
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  await fillCatalogue(site)
}, 60_000)
afterAll(() => site?.close())

const tables = ['acts', 'records', 'reviews', 'activities', 'statuses', 'laps', 'skips', 'notes']
beforeEach(() => {
  if (!hasChromium) return
  for (const table of tables) site.instance.store.handle.run(`delete from ${table}`)
})

const mio = 1
const row = (work: number) => `[data-work="${work}"]`
const record = 'form[data-act="record"] button'
const recorded = () => rowsOf(site.instance.store.handle, 'records').map(({ episode_id }) => episode_id)
const statuses = () =>
  rowsOf(site.instance.store.handle, 'statuses').map(({ work_id, kind }) => [work_id, kind])
const watch = (work: number, kind = 'watching') =>
  site.instance.store.handle.run(
    'insert into statuses (user_id, work_id, kind, changed_at) values (?, ?, ?, 1)',
    [mio, work, kind],
  )

describe.skipIf(!hasChromium).each(ways)('the flows of web.md, $way', ({ way, ...options }) => {
  const english = options.locale === 'en'
  // All apply to the phone, which is in English; the desktop has the same elements.
  const rules = english ? undefined : rulesOfLooks
  const words = {
    recorded: english ? /Recorded/ : /記録しました/,
    undone: english ? /Undone/ : /取り消しました/,
  }
  let person: Person
  beforeAll(async () => {
    person = await personAt(site, 'mio', options)
  })
  afterAll(() => person.context.close())

  async function at(path: string): Promise<Person> {
    await person.page.goto(site.baseUrl + path)
    person.taps = 0
    return person
  }

  test('1, 4: the next episode is recorded with one tap from Track, and undone with one', async () => {
    watch(works.onAir)
    const { tap, told, page } = await at('/')
    await tap(`${row(works.onAir)} ${record}`)
    await told(words.recorded)
    expect([person.taps, recorded()]).toEqual([1, [10_101]])
    const next = page.locator(`${row(works.onAir)} ${record}[value="10102"]`)
    await next.waitFor()
    if (options.javaScriptEnabled) expect(await page.evaluate('document.activeElement.value')).toBe('10102')
    if (options.javaScriptEnabled) expect(await findings(page, rules)).toEqual([])
    await tap('form[data-act="undo"] button')
    await told(words.undone)
    expect([person.taps, recorded(), statuses()]).toEqual([2, [], [[works.onAir, 'watching']]])
    await page.locator(`${row(works.onAir)} ${record}[value="10101"]`).waitFor()
  })

  test('2: with a rating and a comment in three', async () => {
    watch(works.onAir)
    const { tap, told, page } = await at('/')
    await tap(`${row(works.onAir)} a.more`)
    await page.fill('[name="comment"]', 'よかった')
    await tap('label:has([name="rating_state"][value="great"])')
    if (options.javaScriptEnabled) expect(await findings(page, rules)).toEqual([])
    await tap('form[data-act="record"] .filled')
    await told(words.recorded)
    expect(person.taps).toBe(3)
    expect(rowsOf(site.instance.store.handle, 'records')).toMatchObject([
      { episode_id: 10_101, comment: 'よかった', rating_state: 'great', watched_at_precision: 'time' },
    ])
    await page.locator(`${row(works.onAir)} ${record}[value="10102"]`).waitFor()
  })

  test('3: up to episode 8 in two, with one undo for all', async () => {
    const { tap, told } = await at(`/works/${works.onAir}`)
    await tap('[data-episode="10108"] summary')
    await tap(
      '[data-episode="10108"] form[data-act="up_to"] button, form[data-act="up_to"]:has([data-episode="10108"]) [data-episode="10108"] button',
    )
    await told(words.recorded)
    expect([person.taps, recorded().length]).toEqual([2, 8])
    await tap('form[data-act="undo"] button')
    await told(words.undone)
    expect([recorded(), statuses()]).toEqual([[], []])
  })

  test('6: a status is set in two, and dropping keeps the place', async () => {
    watch(works.onAir)
    const { tap, told } = await at(`/works/${works.onAir}`)
    await tap('form[data-act="record"] button[name="episode_id"]')
    await told(words.recorded)
    await at(`/works/${works.onAir}`)
    await tap('main details:has(form[data-act="status"]) > summary')
    await tap('form[data-act="status"] [value="stop_watching"]:visible')
    await told(english ? /Dropped/ : /視聴中止/)
    expect([person.taps, statuses(), recorded()]).toEqual([2, [[works.onAir, 'stop_watching']], [10_101]])
  })

  test('5, 7: a new work is found and started in three, and planned from a season in one', async () => {
    const { tap, told, page } = await at('/')
    await tap(options.viewport?.width === 360 ? '.navigation a:nth-child(2)' : 'header [name="q"]')
    if (options.viewport?.width === 360) await tap('[role="search"] [name="q"]')
    await page.fill('[role="search"]:visible [name="q"]', 'とんがり')
    await page.keyboard.press('Enter')
    await page.locator(`#results ${row(works.planned)}`).waitFor()
    await tap(`#results ${row(works.planned)} form[data-act="status"] [value="watching"]`)
    await told(english ? /Watching/ : /見てる/)
    expect([person.taps <= 3, statuses()]).toEqual([true, [[works.planned, 'watching']]])
    await at('/seasons/2026-spring')
    await tap(`${row(works.onAir)} form[data-act="status"] [value="wanna_watch"]`)
    await told(english ? /Plan to watch/ : /見たい/)
    expect(person.taps).toBe(1)
    expect(statuses()).toContainEqual([works.onAir, 'wanna_watch'])
  })

  test('6: a status is changed in two in the results, and keeps the focus', async () => {
    watch(works.planned)
    const { tap, told, page } = await at(`/search?q=${encodeURIComponent('とんがり')}`)
    await tap(`${row(works.planned)} summary`)
    await tap(`${row(works.planned)} [value="on_hold"]`)
    await told(english ? /On hold/ : /一時中断/)
    expect([person.taps, statuses()]).toEqual([2, [[works.planned, 'on_hold']]])
    const focused = 'document.activeElement.dataset.focus'
    if (options.javaScriptEnabled) expect(await page.evaluate(focused)).toBe(`status-${works.planned}`)
  })

  test('8: a film seen in 2019 is logged with a rating in four', async () => {
    const { tap, told, page } = await at('/')
    await page.goto(`${site.baseUrl}/search?q=${encodeURIComponent('天気の子')}`)
    await tap(`#results ${row(works.film)} a`)
    await tap('label:has([name="precision"][value="aired"])')
    await tap('form[data-act="viewing"] [name="rating_state"][value="great"]')
    await told(english ? /Recorded/ : /記録しました/)
    expect(person.taps).toBeLessThanOrEqual(4)
    expect(rowsOf(site.instance.store.handle, 'reviews')).toMatchObject([
      {
        work_id: works.film,
        rating_overall_state: 'great',
        watched_at: Date.UTC(2019, 0, 1, 12),
        watched_at_precision: 'year',
      },
    ])
    expect(statuses()).toEqual([[works.film, 'watched']])
  })

  test('9: what airs tonight is on the first screen', async () => {
    watch(works.onAir)
    const { page } = await at('/')
    const block = await page.locator('#today').boundingBox()
    expect([person.taps, (block?.y ?? 9999) < 400]).toEqual([0, true])
    expect(await page.locator('#today').textContent()).toContain('日本テレビ')
  })

  test('11: a series is watched again in two, from its first episode', async () => {
    for (const [index, episode] of [10_401, 10_402, 10_403].entries())
      site.instance.store.handle.run(
        'insert into records (user_id, work_id, episode_id, watched_at, created_at) values (?, ?, ?, ?, ?)',
        [mio, works.complete, episode, index, index],
      )
    watch(works.complete, 'watched')
    const { tap, told, page } = await at(`/works/${works.complete}`)
    await tap('form[data-act="new_lap"] button:visible')
    await told(english ? /again/ : /もう一度/)
    await page.locator(`${record}[value="10401"]`).first().waitFor()
    await tap(`${record}[value="10401"]`)
    await told(words.recorded)
    expect(person.taps).toBe(2)
    expect(rowsOf(site.instance.store.handle, 'records').map(({ lap }) => lap)).toEqual([1, 1, 1, 2])
    expect(statuses()).toEqual([[works.complete, 'watching']])
  })

  test('12: an estimated list gets one more episode in one', async () => {
    watch(works.estimated)
    for (let episode = 10_201; episode <= 10_206; episode++)
      site.instance.store.handle.run(
        'insert into records (user_id, work_id, episode_id, watched_at, created_at) values (?, ?, ?, 1, 1)',
        [mio, works.estimated, episode],
      )
    const { tap, told, page } = await at('/')
    await tap(`${row(works.estimated)} form[data-act="add_episode"] button`)
    await told(english ? /Added/ : /追加しました/)
    expect(person.taps).toBe(1)
    await page.locator(`${row(works.estimated)} ${record}`).waitFor()
    await tap('form[data-act="undo"] button')
    await told(words.undone)
  })
})
