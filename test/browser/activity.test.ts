import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { cookieName } from '../../src/web/cookies'
import { createSite, hasChromium, type Site, ways } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { findings, layoutProblems } from '../support/findings'
import { start } from '../support/instance'
import { createMember } from '../support/visitor'
import { addRecords } from '../support/watched-rows'

let site: Site
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  const { instance } = site
  const { handle } = instance.store
  const run = (sql: string, ...values: (string | number)[]) => handle.run(sql, values)
  const tell = (user: number, action: string, columns: Record<string, string | number>) => {
    const cells = { user_id: user, work_id: 1, action, created_at: start, ...columns }
    run(
      `insert into activities (${Object.keys(cells)}) values (${Object.keys(cells).map(() => '?')})`,
      ...Object.values(cells),
    )
  }
  run('insert into follows (follower_id, followed_id, created_at) values (1, 2, 1), (4, 1, 1)')
  const comment = '長い感想'.repeat(30)
  for (const [episode_id, rating_state] of [
    [1, 'good'],
    [2, 'good'],
  ] as const) {
    const row = { user_id: 2, episode_id, watched_at: start, comment, rating_state }
    const [record_id = 0] = await addRecords(instance, [row])
    tell(2, 'create_record', { record_id })
  }
  for (const work_id of [1, 2, 3, 5, 9, 4]) tell(2, 'create_status', { work_id, status_kind: 'wanna_watch' })
  run(
    "insert into reviews (user_id, work_id, body, rating_overall_state, created_at) values (2, 3, '海の話', 'great', 1)",
  )
  tell(2, 'create_review', {
    work_id: 3,
    review_id: Number(handle.query('select max(id) as id from reviews').values()[0]?.[0]),
  })
  for (const user of [1, 2, 4])
    run("insert into statuses (user_id, work_id, kind, changed_at) values (?, 1, 'watching', 1)", user)
}, 60_000)
afterAll(() => site?.close())

async function pageOf(look: BrowserContextOptions): Promise<Page> {
  const { instance, baseUrl, browser } = site
  const context = await browser.newContext(look)
  const name = cookieName('sid', baseUrl)
  const value = (await createMember(instance, 'mio')).cookies.get(name) ?? ''
  await context.addCookies([{ name, value, url: baseUrl }])
  return await context.newPage()
}

const addresses = [
  ...['/activity', '/activity/everyone', '/activity?spoilers=show', '/people', '/people?q=nobody'],
  ...['/@mio/followers', '/@mio/following', '/@Ritsu_T'],
]

describe.skipIf(!hasChromium)('pages of what people do', () => {
  test.each(ways.slice(0, 2))(
    'fit the screen and conform to WCAG 2.2 AA as far as axe can tell: $way',
    async (look) => {
      const page = await pageOf(look)
      for (const address of addresses) {
        await page.goto(site.baseUrl + address)
        expect([address, await layoutProblems(page), await findings(page)]).toEqual([address, [], []])
      }
      await page.context().close()
    },
    120_000,
  )

  test.each(ways)(
    'a heart is pressed and taken back, where it stands: $way',
    async (way) => {
      const page = await pageOf(way)
      const likes = () => rowsOf(site.instance.store.handle, 'likes').length
      const heart = page.locator('article[data-count="2"] button.like')
      for (const [pressed, count] of [
        ['true', 1],
        ['false', 0],
      ] as const) {
        // Loaded again: a press right after another is the second half of a double tap.
        await page.goto(`${site.baseUrl}/activity`)
        await heart.click()
        await page.locator(`article[data-count="2"] button.like[aria-pressed="${pressed}"]`).waitFor()
        expect([pressed, likes()]).toEqual([pressed, count])
        if (way.javaScriptEnabled !== false)
          expect(await heart.evaluate((element) => element.matches(':focus'))).toBe(true)
      }
      await page.context().close()
    },
    60_000,
  )

  test.each(ways)(
    'a member is followed from the list in one press, and again not: $way',
    async (way) => {
      const page = await pageOf(way)
      const follows = () =>
        rowsOf(site.instance.store.handle, 'follows').filter((row) => row.follower_id === 1).length
      const button = page.locator('#person-4 button')
      for (const [next, count] of [
        ['unfollow', 2],
        ['follow', 1],
      ] as const) {
        await page.goto(`${site.baseUrl}/people`)
        await button.click()
        await page.locator(`#person-4 button[form="${next}"]`).waitFor()
        expect(follows()).toBe(count)
        if (way.javaScriptEnabled !== false)
          expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true)
      }
      await page.context().close()
    },
    60_000,
  )
})
