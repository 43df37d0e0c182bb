import { beforeEach, describe, expect, test } from 'bun:test'
import { makeList } from '../../src/social/lists/list-acts'
import { hasChromium } from '../support/chromium'
import { desktop, person, site, useLateSite } from '../support/late-site'
import { until } from '../support/until'

useLateSite(undefined, desktop)

let list = 0
let works: readonly number[] = []
const mio = () =>
  site.instance.store.handle.query<{ id: number }, []>("select id from users where username = 'mio'").get()
    ?.id ?? 0
const order = () =>
  site.instance.store.handle
    .query('select work_id from list_works where list_id = ? order by place, id')
    .values(list)
    .flat()

beforeEach(async () => {
  if (!hasChromium) return
  const { handle } = site.instance.store
  for (const table of ['list_works', 'lists']) handle.run(`delete from ${table}`)
  works = handle
    .query<{ id: number }, []>('select id from works where hidden = 0 order by id limit 4')
    .all()
    .map(({ id }) => id)
  const fields = { name: '見返したい', text: '', visibility: undefined, isOrdered: true }
  const made = await makeList(site.instance.deps, mio(), { ...fields, workIds: works.slice(0, 3) })
  list = made.listId
})

describe.skipIf(!hasChromium)('a list with a script (D88)', () => {
  test('is put in order by ↑ and by Alt with arrows, and the focus stays with the row', async () => {
    const [first, second, third] = works
    await person.page.goto(`${site.baseUrl}/@mio/lists/${list}/edit`)
    const focused = () => person.page.evaluate('document.activeElement.dataset.focus')
    const shown = () =>
      person.page
        .locator('#in-list > li')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-work')).join())
    const isMoved = async (...expected: readonly (number | undefined)[]) => {
      await until(async () => (await shown()) === expected.join() && (await focused()) === `up-${third}`)
      expect(order().join()).toBe(expected.join())
    }
    await person.page.click(`[data-focus="up-${third}"]`)
    await isMoved(first, third, second)
    await person.page.keyboard.press('Alt+ArrowUp')
    await isMoved(third, first, second)
    await person.page.keyboard.press('Alt+ArrowDown')
    await until(async () => (await shown()) === [first, third, second].join())
  })

  test('takes a work from its page in two presses, and in three from the dialog, by a as well', async () => {
    const { page } = person
    const work = works[3]
    await page.goto(`${site.baseUrl}/works/${work}`)
    await page.click('.work-menu > summary')
    await page.click('.work-menu form[data-act=list_add] button')
    await until(() => order().includes(work ?? 0))
    await person.told(/見返したい/)
    await page.goto(`${site.baseUrl}/works/${work}`)
    await page.keyboard.press('a')
    await page.click('dialog .add-to-list [data-act=list_remove] button')
    await until(() => !order().includes(work ?? 0))
  })

  test('takes it later when there is no network (D106)', async () => {
    const { page, context } = person
    const work = works[3]
    await page.goto(`${site.baseUrl}/works/${work}`)
    await context.setOffline(true)
    await page.click('.work-menu > summary')
    await page.click('.work-menu form[data-act=list_add] button')
    await page.locator('.pill-offline:not([hidden])').waitFor()
    expect(order()).not.toContain(work)
    await context.setOffline(false)
    await until(() => order().includes(work ?? 0))
  })
})
