import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { works } from '../support/flows'
import { keptOnDevice, longComment, password, person, site, useLateSite } from '../support/late-site'
import { until } from '../support/until'

useLateSite(async () => {
  const { handle } = site.instance.store
  handle.run(
    "insert into records (id, user_id, work_id, episode_id, comment, watched_at, created_at) values (9001, 1, ?, ?, 'before', 1, 1)",
    [works.onAir, works.onAir * 100 + 1],
  )
  handle.run(
    "insert into reviews (id, user_id, work_id, body, watched_at, watched_at_precision, created_at) values (9001, 1, ?, 'before', 1, 'time', 1)",
    [works.film],
  )
})

const edits = {
  record: {
    path: '/records/9001/edit',
    after: `/works/${works.onAir}/episodes/1`,
    said: /Changed the record/,
  },
  viewing: { path: '/viewings/9001/edit', after: `/works/${works.film}`, said: /Changed the viewing/ },
}
const saved = () => {
  const { handle } = site.instance.store
  return [...rowsOf(handle, 'records'), ...rowsOf(handle, 'reviews')].map((row) => [
    row.comment ?? row.body,
    row.rating_state ?? row.rating_overall_state ?? null,
  ])
}

describe.skipIf(!hasChromium).each(Object.entries(edits))(
  'an edit of a %s',
  (kind, { path, after, said }) => {
    const type = async () => {
      const { page } = person
      await page.goto(site.baseUrl + path)
      await page.locator('main label.face.good').click()
      await page.fill('main [name=comment]', longComment)
    }
    const press = () => person.page.click('main form .filled')
    const expectSaved = async () => {
      await person.told(said)
      expect(new URL(person.page.url()).pathname).toBe(after)
      const edited = [longComment, 'good']
      const before = ['before', null]
      expect(saved()).toEqual(kind === 'record' ? [edited, before] : [before, edited])
      await until(async () => (await keptOnDevice(person)).drafts.length === 0)
    }

    test('goes back to where it came from, which says what was done', async () => {
      await type()
      await press()
      await expectSaved()
    })

    test('without a network, or without an answer, stays as it was typed, says so, and is saved later', async () => {
      const { page, context } = person
      await type()
      await context.setOffline(true)
      await press()
      await page.locator('.edit > [role=alert]').waitFor()
      expect(await page.inputValue('main [name=comment]')).toBe(longComment)
      await context.setOffline(false)
      await page.evaluate("document.querySelector('.edit > [role=alert]').remove()")
      await page.route(`**${path}`, (route) => route.abort())
      await press()
      await page.locator('.edit > [role=alert]').waitFor()
      expect(await page.inputValue('main [name=comment]')).toBe(longComment)
      expect(saved().flat()).not.toContain(longComment)
      await page.unrouteAll()
      await press()
      await expectSaved()
    })

    test('after the session has ended is offered on /kept, which names it, and saved there', async () => {
      const { page } = person
      await type()
      site.instance.store.handle.run('delete from sessions')
      await press()
      await page.fill('[name=username]', 'mio')
      await page.fill('[name=password]', password)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/kept')
      expect(await page.locator('main b').textContent()).toContain('Good')
      expect(await page.inputValue('main [name=comment]')).toBe(longComment)
      await press()
      await expectSaved()
    })
  },
)

describe.skipIf(!hasChromium)('what was typed in a form of settings while the session ended', () => {
  const typed = { name: '澪 🍥', description: longComment, url: 'https://mio.example/' }

  test.each([{ names: ['name', 'description', 'url'] }, { names: ['name'] }] as const)(
    'is in it again after signing in: %p',
    async ({ names }) => {
      const { page } = person
      await page.goto(`${site.baseUrl}/settings/profile`)
      for (const name of names) await page.fill(`main [name=${name}]`, typed[name])
      await until(async () => (await keptOnDevice(person)).drafts.length === 1)
      site.instance.store.handle.run('delete from sessions')
      await page.locator('main form .filled, main form button').last().click()
      await page.fill('[name=username]', 'mio')
      await page.fill('[name=password]', password)
      await page.keyboard.press('Enter')
      await page.locator('.draft').waitFor()
      for (const name of names) expect(await page.inputValue(`main [name=${name}]`)).toBe(typed[name])
      await page.locator('main form .filled, main form button').last().click()
      await page.waitForURL(`${site.baseUrl}/settings`)
      const [mio] = rowsOf(site.instance.store.handle, 'users')
      for (const name of names) expect(mio?.[name]).toBe(typed[name])
      site.instance.store.handle.run("update users set name = 'Mio', description = '', url = '' where id = 1")
      await until(async () => (await keptOnDevice(person)).drafts.length === 0)
    },
  )
})
