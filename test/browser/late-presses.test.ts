import { describe, expect, test } from 'bun:test'
import type { BrowserContext } from 'playwright-core'
import { cookieName } from '../../src/web/cookies'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { findings } from '../support/findings'
import { personAt, works } from '../support/flows'
import {
  endSessions,
  keptOnDevice,
  longComment,
  password,
  person,
  phone,
  signInAgain,
  site,
  useLateSite,
} from '../support/late-site'
import { until } from '../support/until'
import { createMember } from '../support/visitor'

useLateSite()

const written = () => rowsOf(site.instance.store.handle, 'records').map((row) => row.comment)

/** Not even what nobody is told. */
const nothingWaits = () => until(async () => (await keptOnDevice(person)).outbox.length === 0)

const row = () => person.page.locator(`#row-${works.onAir} form[data-act=record] button`)

describe.skipIf(!hasChromium)('a press in a row', () => {
  test('that was made offline says so, waits, and is done once by itself (D106)', async () => {
    const { page, context } = person
    await page.goto(site.baseUrl)
    expect(await findings(page)).toEqual([])
    await context.setOffline(true)
    await row().click()
    await person.told(/Record episode 1 of Frieren · Waiting/)
    await page
      .locator('[data-outbox="1"][data-offline]', { hasText: 'Offline · 1 waiting to be sent' })
      .waitFor()
    await page.locator(`#row-${works.onAir}[aria-busy=true]`, { hasText: 'Episode 1 Waiting' }).waitFor()
    expect(await row().getAttribute('aria-label')).toBe('Record episode 2 of Frieren')
    expect([await findings(page), written()]).toEqual([[], []])
    await context.setOffline(false)
    await person.told(/Recorded episode 1/)
    await page.locator('[data-outbox="0"][hidden]').waitFor({ state: 'attached' })
    expect(written()).toEqual([''])
  })

  test('that is taken back before it was sent is never done, also if the server had it (D107)', async () => {
    const { page, context } = person
    await page.goto(site.baseUrl)
    await context.setOffline(true)
    await row().click()
    await person.told(/Waiting/)
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
    await page.locator('[data-outbox="0"]').waitFor({ state: 'attached' })
    expect(await row().getAttribute('value')).toBe(String(works.onAir * 100 + 1))
    await context.setOffline(false)
    await nothingWaits()
    expect(written()).toEqual([])
    await page.route('**/record', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await row().click()
    await person.told(/Waiting/)
    expect(written()).toEqual([''])
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
    await nothingWaits()
    expect(written()).toEqual([])
  })

  test('goes on to the next episodes without a network, which are recorded in order, at their times (D108)', async () => {
    const { page, context } = person
    await page.goto(site.baseUrl)
    await context.setOffline(true)
    for (let episode = 1; episode <= 12; episode += 1) {
      await row().click()
      await page.locator(`[data-outbox="${episode}"]`).waitFor()
      await page.locator('#toast', { hasText: `Record episode ${episode} of Frieren` }).waitFor()
      site.instance.clock.now += 60_000
    }
    // There is no next one.
    await row().click()
    await context.setOffline(false)
    await page.locator('[data-outbox="0"]').waitFor({ state: 'attached' })
    await person.told(/[0-9]+ sent · Recorded episode 12 of Frieren/)
    const records = rowsOf(site.instance.store.handle, 'records')
    expect(records.map(({ episode_id }) => episode_id)).toEqual(
      Array.from({ length: 12 }, (_, at) => 10_101 + at),
    )
    await nothingWaits()
  })

  test('that waits is sent soon when the network comes back, however often it was tried without one, and if that fails too', async () => {
    const { page, context } = person
    await page.goto(site.baseUrl)
    await context.setOffline(true)
    for (let episode = 1; episode <= 10; episode += 1) {
      await row().click()
      await page.locator(`[data-outbox="${episode}"]`).waitFor()
      await page.locator('#toast', { hasText: `Record episode ${episode} of Frieren` }).waitFor()
    }
    await page.route('**/record', (route) => route.abort(), { times: 1 })
    await context.setOffline(false)
    await page.locator('[data-outbox="0"][hidden]').waitFor({ state: 'attached' })
    expect(written()).toHaveLength(10)
  })

  test.each([
    ['Track', '/', () => row()],
    ['the library', '/@mio/library/watching', () => person.page.locator(`#row-${works.onAir} .tick`)],
  ])('in %s is visible before any answer, even below the pointer', async (_, path, button) => {
    const { page } = person
    await page.goto(site.baseUrl + path)
    await page.route('**/record', () => undefined)
    await button().hover()
    const look = (does: string) =>
      page.evaluate(`(() => {
      const row = document.querySelector('#row-${works.onAir}')
      const button = row.querySelector('.tick, .check')
      ${does}
      return [getComputedStyle(button).boxShadow, getComputedStyle(row.querySelector('.text, th')).opacity]
    })()`)
    expect(await look('')).toEqual(['none', '1'])
    expect(await look('button.click()')).toEqual([expect.not.stringMatching('none'), '0.6'])
    expect(await page.locator(`#row-${works.onAir}`).getAttribute('aria-busy')).toBe('true')
  })

  test('after the session ended says so, and is done after signing in', async () => {
    await person.page.goto(site.baseUrl)
    endSessions(site)
    await row().click()
    await signInAgain(person)
    await person.told(/Recorded episode 1/)
    expect(written()).toEqual([''])
    await person.page.reload()
    expect(written()).toEqual([''])
  })

  test('is done at once if its person has signed in again in another tab', async () => {
    await person.page.goto(site.baseUrl)
    await changeCookie(person.context, 'mio')
    await row().click()
    await person.told(/Recorded episode 1/)
    expect(written()).toEqual([''])
  })

  test('is undone at once, too, if its person has signed in again in another tab', async () => {
    const { page } = person
    await page.goto(site.baseUrl)
    await row().click()
    await person.told(/Recorded episode 1/)
    endSessions(site)
    await changeCookie(person.context, 'mio')
    await page.locator('#toast [data-act=undo] button').click()
    await person.told(/Undone/)
    expect(written()).toEqual([])
  })

  test('waits for its person if somebody else has signed in in another tab', async () => {
    const { page } = person
    await page.goto(site.baseUrl)
    await changeCookie(person.context, 'azusa')
    await row().click()
    await page.locator('[data-outbox="1"] a[href*="/sign_in"]').waitFor()
    await page.goto(site.baseUrl)
    await page.locator('[data-outbox="0"]').waitFor({ state: 'attached' })
    expect(written()).toEqual([])
    await changeCookie(person.context, 'mio')
    await page.goto(site.baseUrl)
    await person.told(/Recorded episode 1/)
    expect(rowsOf(site.instance.store.handle, 'records').map(({ user_id }) => user_id)).toEqual([1])
  })

  test('adds one more episode only once', async () => {
    const { handle } = site.instance.store
    handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)", [
      works.estimated,
    ])
    for (let episode = 10_201; episode <= 10_206; episode++)
      handle.run(
        'insert into records (user_id, work_id, episode_id, watched_at, created_at) values (1, ?, ?, 1, 1)',
        [works.estimated, episode],
      )
    const { page, context } = person
    await page.goto(site.baseUrl)
    await context.setOffline(true)
    await page.click(`#row-${works.estimated} form[data-act=add_episode] button`)
    await page.locator('[data-outbox="1"]').waitFor()
    await context.setOffline(false)
    await person.told(/Added episode 7/)
    expect(rowsOf(handle, 'episodes').filter((episode) => episode.source_id === 3)).toHaveLength(1)
  })
})

async function changeCookie(context: BrowserContext, username: string): Promise<void> {
  const { cookies } = await createMember(site.instance, username)
  const name = cookieName('sid', site.baseUrl)
  await context.addCookies([{ name, value: cookies.get(name) ?? '', url: site.baseUrl }])
}

test.skipIf(!hasChromium)(
  'without script, an expired session offers the filled form after signing in',
  async () => {
    const { page } = await personAt(site, 'mio', { ...phone, javaScriptEnabled: false })
    await page.goto(`${site.baseUrl}/record/new?episode=10101`)
    await page.fill('[name=comment]', longComment)
    await page.click('label:has([name=rating_state][value=great])')
    endSessions(site)
    await page.click('form[data-act=record] .filled')
    await page.fill('[name=username]', 'mio')
    await page.fill('[name=password]', 'wrong password')
    await page.keyboard.press('Enter')
    await page.fill('[name=password]', password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/kept')
    await page.locator('main b', { hasText: 'Frieren · Episode 1 · Great' }).waitFor()
    expect([await page.locator('[name=comment]').inputValue(), written()]).toEqual([longComment, []])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#toast', { hasText: 'Recorded episode 1' }).waitFor()
    expect(rowsOf(site.instance.store.handle, 'records')).toMatchObject([
      { episode_id: 10_101, comment: longComment, rating_state: 'great' },
    ])
    expect(rowsOf(site.instance.store.handle, 'sessions').map((session) => session.kept_form)).toEqual([null])
  },
)

test.skipIf(!hasChromium)('on a phone, Undo is in sight beside what the message offers', async () => {
  const { page } = person
  for (const work of [works.complete, works.film]) {
    await page.goto(`${site.baseUrl}/works/${work}`)
    await page.locator('.status-line summary').first().click()
    await page.locator('form[data-act=status] [value=watched]:visible').first().click()
    await person.told(/date unknown/)
    const box = await page.locator('#toast [data-act=undo] button').boundingBox()
    expect((box?.x ?? 999) + (box?.width ?? 999)).toBeLessThanOrEqual(390 - 16)
  }
})
