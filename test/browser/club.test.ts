import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createUser } from '../../src/accounts/account/user'
import { cookieName } from '../../src/web/cookies'
import { createSite, hasChromium, looks, type Site } from '../support/chromium'
import { until } from '../support/until'
import { createMember, type Visitor } from '../support/visitor'

let site: Site
const names = Array.from({ length: 15 }, (_, n) => `club${n + 1}`)
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  const { deps, store } = site.instance
  for (const username of names)
    await createUser(deps, {
      username,
      email: `${username}@example.com`,
      password: 'correct horse',
      isAdmin: false,
    })
  store.handle.run("update users set time_zone = 'Asia/Tokyo'")
})
afterAll(async () => await site?.close())

/** A browser of somebody’s, on a phone or a desk, with script or without. */
async function browserOf(
  username: string,
  look: (typeof looks)[number] | undefined,
  javaScriptEnabled = true,
) {
  const { cookies } = await createMember(site.instance, username)
  const context = await site.browser.newContext({ ...look, javaScriptEnabled })
  const name = cookieName('sid', site.baseUrl)
  await context.addCookies([{ name, value: cookies.get(name) ?? '', url: site.baseUrl }])
  return await context.newPage()
}

const rows = (sql: string) => site.instance.store.handle.query<Record<string, unknown>, []>(sql).all()
const answered = (answer: string) =>
  Number(rows(`select count(*) as n from meeting_people where answer = '${answer}'`)[0]?.n)

/** Answers with the page’s button, and waits for the database. */
async function answer(page: Page, name: string, as: string): Promise<void> {
  const before = answered(as)
  await page.getByRole('button', { name, exact: true }).click()
  await until(() => Promise.resolve(answered(as) > before))
}

test.skipIf(!hasChromium)(
  'a club of fifteen uses one page: three in browsers, twelve by forms (D79)',
  async () => {
    const host = await browserOf('club1', looks[0])
    const desk = await browserOf('club2', looks[1])
    const plain = await browserOf('club3', looks[0], false)
    await host.goto(`${site.baseUrl}/works/1`)
    await host.locator('.work-menu > summary').click()
    await host.getByRole('link', { name: 'Watch together' }).click()
    await host.getByLabel('Where (optional)').fill('call in #garden')
    await host.getByLabel('Whom do you ask? (optional)').fill(names.join(' '))
    await host.getByRole('button', { name: 'Set the date' }).click()
    await host.waitForURL(/\/meetings\/\d+$/)
    const path = new URL(host.url()).pathname
    await host.getByRole('button', { name: 'Mark it for me too' }).click()
    await host.getByRole('button', { name: 'Mark it for me too', pressed: true }).waitFor()
    // The others are told, and answer.
    await desk.goto(`${site.baseUrl}/notifications`)
    await desk.locator('.news a').first().click()
    await answer(desk, '参加', 'in')
    await plain.goto(site.baseUrl + path)
    await answer(plain, 'Maybe', 'maybe')
    const others: Visitor[] = []
    for (const [at, username] of names.slice(3).entries()) {
      const visitor = await createMember(site.instance, username)
      others.push(visitor)
      const said = { answer: at === 11 ? 'out' : 'in', marks_too: at < 9 ? '1' : '0' }
      expect((await visitor.submit(path, said, '/meetings/answer')).status).toBe(303)
      expect((await visitor.submit(path, { body: `${username} comes` }, '/comments')).status).toBe(303)
    }
    await host.goto(site.baseUrl + path)
    expect(await host.locator('[data-answer=in]').count()).toBe(13)
    expect(await host.locator('[data-comment]').count()).toBe(12)
    for (const page of [host, desk]) {
      await page.goto(site.baseUrl + path)
      const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(width).toBeLessThanOrEqual(0)
    }
    // A week later the host’s session has been used meanwhile: sign in again is not what this is about.
    const [{ begins_at } = {}] = rows('select begins_at from meetings')
    site.instance.clock.now = Number(begins_at) + 60_000
    await host.goto(site.baseUrl + path)
    await host.getByRole('button', { name: 'We watched it' }).click()
    await host.getByText('Watched together').waitFor()
    const at = site.instance.clock.now
    expect(
      rows(`select count(distinct user_id) as people, count(*) as n from records where created_at = ${at}`),
    ).toEqual([{ people: 10, n: 10 }])
    expect(await host.getByText('marked too').count()).toBe(10)
    // Who had not agreed is asked, and records it by one press.
    await desk.goto(`${site.baseUrl}/notifications`)
    await desk.locator('.news form[data-act=record] button').first().click()
    await until(() => Promise.resolve(rows(`select 1 from records where created_at = ${at}`).length === 11))
    await host.goto(`${site.baseUrl}/activity/everyone`)
    expect(await host.getByText('10 people together').count()).toBe(1)
    await host.goto(site.baseUrl + path)
    await host.getByRole('button', { name: /^Same again, next episode/ }).click()
    await host.waitForURL((url) => url.pathname !== path)
    expect(rows('select count(*) as n from meetings')).toEqual([{ n: 2 }])
    await plain.goto(`${site.baseUrl}/`)
    expect(await plain.getByText('Not answered yet').count()).toBe(1)
  },
)
