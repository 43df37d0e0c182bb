import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { works } from '../support/flows'
import { desktop, person, site, useLateSite } from '../support/late-site'
import { until } from '../support/until'

useLateSite(undefined, { ...desktop, reducedMotion: 'no-preference' })

const chosen = () => person.page.evaluate<string>("document.querySelector('.chosen')?.dataset.work ?? ''")
const focused = () => person.page.evaluate('document.activeElement.dataset.work')
const press = async (...keys: readonly string[]) => {
  for (const key of keys) await person.page.keyboard.press(key)
}
const watchSome = () => {
  for (const work of [works.onAir, works.complete, works.planned])
    site.instance.store.handle.run(
      "insert or ignore into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)",
      [work],
    )
}
const records = () => rowsOf(site.instance.store.handle, 'records')

describe.skipIf(!hasChromium)('Enter', () => {
  test("in a film's date logs it without a rating", async () => {
    const { page } = person
    await page.goto(`${site.baseUrl}/works/${works.film}`)
    await page.click('label:has([name="precision"][value="date"])')
    await page.fill('[name="watched_at"]', '2019-08')
    await page.keyboard.press('Enter')
    await person.told(/Recorded/)
    expect(rowsOf(site.instance.store.handle, 'reviews')).toMatchObject([
      { watched_at_precision: 'month', rating_overall_state: null },
    ])
    // Where it was: the proposed date of the next viewing.
    expect(await page.evaluate('document.activeElement.name')).toBe('watched_at')
  })

  test('in the sheet records only its episode, rated by a key', async () => {
    const { page } = person
    await page.goto(`${site.baseUrl}/record/new?episode=10105`)
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    await person.told(/Recorded/)
    expect(records()).toMatchObject([{ episode_id: 10_105, rating_state: 'good' }])
  })
})

describe.skipIf(!hasChromium)('the chosen row', () => {
  test('stays chosen when the whole list is replaced', async () => {
    watchSome()
    await person.page.goto(`${site.baseUrl}/@mio/library/watching`)
    await press('j', 'j')
    const second = await chosen()
    await press('r')
    await person.told(/Recorded/)
    expect([await chosen(), await focused()]).toEqual([second, second])
  })

  test('hands over to the next one when it leaves the list', async () => {
    watchSome()
    await person.page.goto(site.baseUrl)
    const rows = await person.page.locator('.tracked').evaluateAll((all) => all.map((one) => one.id.slice(4)))
    await press('j', 'j', 's', '5')
    await person.told(/Dropped/)
    await until(async () => (await chosen()) === rows[2])
    expect(await focused()).toBe(rows[2])
    await press('k')
    expect(await chosen()).toBe(rows[0])
  })

  test.each(['/', '/@mio/library/watching'])(
    'is chosen again when z brings it back to %s, so that the next key is for it',
    async (path) => {
      watchSome()
      await person.page.goto(site.baseUrl + path)
      await press('j', 'j')
      const second = await chosen()
      await press('s', '5')
      await person.told(/Dropped/)
      await until(async () => (await chosen()) !== second)
      await press('z')
      await person.told(/Undone/)
      expect([await chosen(), await focused()]).toEqual([second, second])
      await press('r')
      await person.told(/Recorded/)
      expect(records().map(({ work_id }) => String(work_id))).toEqual([second])
    },
  )

  test('catches up with u on everything that has aired; z undoes that, and then does nothing', async () => {
    watchSome()
    const { page } = person
    await page.goto(site.baseUrl)
    const row = page.locator(`[data-work="${works.complete}"]`)
    for (let steps = 0; steps < 3 && (await chosen()) !== String(works.complete); steps++) await press('j')
    await press('u')
    await person.told(/Recorded 3 episodes/)
    expect(records().map(({ episode_id }) => episode_id)).toEqual([10_401, 10_402, 10_403])
    expect(await chosen()).toBe(String(works.complete))
    await press('z')
    await person.told(/Undone/)
    expect(records()).toEqual([])
    await row.locator('[value="10401"]').waitFor()
    await press('z')
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect([page.url(), records()]).toEqual([`${site.baseUrl}/`, []])
  })

  test('stays in place when it now belongs on another page', async () => {
    const { handle } = site.instance.store
    const many = Array.from({ length: 26 }, (_, index) => 300 + index)
    for (const id of many) {
      handle.run("insert or ignore into works (id, title, media, source_id) values (?, ?, 'tv', 1)", [
        id,
        `作品${id}`,
      ])
      handle.run(
        'insert or ignore into episodes (id, work_id, number, sort_number, source_id) values (?, ?, 1, 10, 1)',
        [id * 100, id],
      )
      handle.run(
        'insert into programs (channel_id, work_id, episode_id, started_at, source_id) values (90, ?, ?, ?, 1)',
        [id, id * 100, site.instance.clock.now - id * 3_600_000],
      )
      handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)", [
        id,
      ])
    }
    await person.page.goto(site.baseUrl)
    await press('j', 'u')
    await person.told(/Recorded/)
    expect([await chosen(), await person.page.locator('#row-300 [value="30000"]').count()]).toEqual([
      '300',
      0,
    ])
    expect(await person.page.locator('.tracked').count()).toBe(25)
  })

  test('does not exist on a work’s page', async () => {
    await person.page.goto(`${site.baseUrl}/works/${works.onAir}`)
    await press('j')
    expect(await chosen()).toBe('')
  })

  test('is what u is for, which would be r again on a work’s page', async () => {
    const { page } = person
    await page.goto(`${site.baseUrl}/works/${works.complete}`)
    await press('u', 'Shift+KeyR')
    await page.locator('dialog [name=comment]').waitFor()
    expect(records()).toEqual([])
  })
})

test.skipIf(!hasChromium)('a status without a chosen work is refused without leaving the list', async () => {
  watchSome()
  const { page } = person
  await page.goto(`${site.baseUrl}/@mio/library/watching?select=1`)
  await page.click('.chosen-bar [value="on_hold"]')
  await person.told(/Select at least one work/)
  expect(await page.locator('tbody [type="checkbox"]').count()).toBe(3)
  await page.locator('tbody [type="checkbox"]').first().click()
  await page
    .locator('tbody [type="checkbox"]')
    .last()
    .click({ modifiers: ['Shift'] })
  expect(await page.locator('[data-total]').textContent()).toBe('3')
  await page.reload()
  expect(await page.locator('tbody :checked').count()).toBe(3)
  expect(await page.locator('[data-total]').textContent()).toBe('3')
  for (const box of await page.locator('tbody [type="checkbox"]').all()) await box.uncheck()
  await page.locator('tbody [type="checkbox"]').first().check()
  await page.click('.chosen-bar [value="on_hold"]')
  await person.told(/On hold/)
  expect(await page.locator('tbody [type="checkbox"]').count()).toBe(2)
  expect(await page.locator('.tabs [aria-current]').textContent()).toContain('2')
})

test.skipIf(!hasChromium)(
  'works selected individually stay selected on the next page, which is shown from its top',
  async () => {
    const { handle } = site.instance.store
    for (let id = 400; id < 435; id++) {
      handle.run("insert into works (id, title, media, source_id) values (?, ?, 'tv', 1)", [id, `作品${id}`])
      handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watched', 1)", [
        id,
      ])
    }
    const { page } = person
    await page.goto(`${site.baseUrl}/@mio/library/watched?select=1`)
    await page.locator('tbody [type="checkbox"]').first().check()
    await page.click('.page-links button')
    await page.locator('#row-400').waitFor()
    expect(await page.locator('[name="works"]').getAttribute('value')).toBe('434')
    expect(await page.evaluate<number>('scrollY')).toBeLessThan(400)
    await page.locator('#row-400 [type="checkbox"]').check()
    await page.click('.chosen-bar [value="on_hold"]')
    await person.told(/2 works: On hold/)
  },
)
