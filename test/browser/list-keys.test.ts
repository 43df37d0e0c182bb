import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { works } from '../support/flows'
import { desktop, person, site, useLateSite } from '../support/late-site'
import { until } from '../support/until'

useLateSite(undefined, desktop)

const press = async (...keys: readonly string[]) => {
  for (const key of keys) await person.page.keyboard.press(key)
}
const focused = () => person.page.evaluate('document.activeElement.outerHTML.slice(0, 60)')
const statuses = () =>
  rowsOf(site.instance.store.handle, 'statuses').map(({ work_id, kind }) => `${work_id} ${kind}`)

const lists = {
  Track: '/',
  Library: '/@mio/library/watching',
  Season: '/seasons/2026-spring?status=all',
  'Season as a list': '/seasons/2026-spring?view=list',
  Search: `/search?q=${encodeURIComponent('フリーレン')}`,
}

describe.skipIf(!hasChromium).each(Object.entries(lists))('in %s', (_, path) => {
  test('s and a digit set the status of the chosen row', async () => {
    await person.page.goto(site.baseUrl + path)
    await press('j')
    const chosen = await person.page.locator('.chosen').getAttribute('data-work')
    await press('s', '4')
    await until(() => statuses().includes(`${chosen} on_hold`))
    await person.told(/On hold/)
  })
})

describe.skipIf(!hasChromium)('the search field', () => {
  test('leads into the results with the arrows, where keys act, and back', async () => {
    const { page } = person
    await page.goto(`${site.baseUrl}/seasons/2026-spring`)
    await press('/')
    await page.keyboard.type('とんがり')
    await page.locator(`#results #row-${works.planned}`).waitFor()
    await press('ArrowDown')
    expect(await focused()).toContain(`row-${works.planned}`)
    await press('s', '2')
    await person.told(/Watching/)
    expect(statuses()).toContain(`${works.planned} watching`)
    await press('ArrowUp')
    expect(await focused()).toContain('type="search"')
  })

  test('is left with Escape, and keeps its text', async () => {
    const { page } = person
    await page.goto(`${site.baseUrl}/search?q=x`)
    await press('/', 'Escape')
    expect(await page.inputValue('[role=search] [name=q]')).toBe('x')
    await press('g', 't')
    await page.waitForURL(`${site.baseUrl}/`)
  })
})

test.skipIf(!hasChromium)('Z leads to Undo and Escape back; Undo itself leads back to the row', async () => {
  const { page } = person
  await page.goto(site.baseUrl)
  const tick = page.locator(`#row-${works.onAir} [data-keys=r]`)
  await tick.focus()
  await press('Enter')
  await person.told(/Recorded episode 1/)
  await press('Shift+KeyZ')
  expect(await focused()).toContain('act_id')
  await press('Escape')
  expect(await focused()).toContain('name="episode_id"')
  await press('Shift+KeyZ', 'Enter')
  await person.told(/Undone/)
  expect(await page.evaluate('document.activeElement.dataset.focus')).toBe(`record-${works.onAir}`)
})
