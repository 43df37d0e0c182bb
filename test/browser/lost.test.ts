import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { BrowserContext } from 'playwright-core'
import { hashPassword } from '../../src/accounts/account/password'
import { cookieName } from '../../src/web/cookies'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { findings } from '../support/findings'
import { fillCatalogue, type Person, personAt, works } from '../support/flows'
import { createMember } from '../support/visitor'

let site: Site
let person: Person
const password = 'correct horse battery'
const phone = { viewport: { width: 390, height: 780 }, locale: 'en', hasTouch: true }
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  await fillCatalogue(site)
  const hash = await hashPassword(password, site.instance.deps.passwordCost)
  site.instance.store.handle.run("update users set password_hash = ? where username = 'mio'", [hash])
}, 60_000)
afterAll(() => site?.close())

const tables = ['acts', 'records', 'reviews', 'activities', 'statuses', 'skips']
beforeEach(async () => {
  if (!hasChromium) return
  const { handle } = site.instance.store
  for (const table of tables) handle.run(`delete from ${table}`)
  handle.run('delete from episodes where source_id = 3')
  handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)", [
    works.onAir,
  ])
  person = await personAt(site, 'mio', phone)
  return () => person.context.close()
})

const comment = '夜の場面がすごい。\n“Wow” & <b>🍥</b>'

interface Place {
  readonly path: string
  readonly opens: string
  readonly form: string
  readonly of: 'record' | 'viewing'
}

const places: Readonly<Record<string, Place>> = {
  'the sheet on Track': { path: '/', opens: 'a.more', form: 'dialog form[data-act=record]', of: 'record' },
  'the sheet over a work': {
    path: `/works/${works.onAir}`,
    opens: 'a[data-keys=R]',
    form: 'dialog form[data-act=record]',
    of: 'record',
  },
  'the sheet over an episode': {
    path: `/works/${works.onAir}/episodes/1`,
    opens: 'a[data-keys=R]',
    form: 'dialog form[data-act=record]',
    of: 'record',
  },
  'the viewing of a film': {
    path: `/works/${works.film}`,
    opens: '#viewing summary',
    form: '#viewing form',
    of: 'viewing',
  },
  'the viewing of a result': {
    path: `/search?q=${encodeURIComponent('天気の子')}`,
    opens: '#results a[data-keys=r]',
    form: 'dialog form[data-act=viewing]',
    of: 'viewing',
  },
}

const written = () => {
  const { handle } = site.instance.store
  return [
    ...rowsOf(handle, 'records').map((row) => row.comment),
    ...rowsOf(handle, 'reviews').map((row) => row.body),
  ]
}

/** Opens the form and types the comment. */
async function type({ path, opens, form }: Place): Promise<void> {
  const { page } = person
  await page.goto(site.baseUrl + path)
  await page.locator(opens).first().click()
  const summary = page.locator(`${form} summary`)
  if (!(await page.locator(`${form} [name=comment]`).isVisible())) await summary.click()
  await page.locator(`${form} [name=comment]`).fill(comment)
}

const press = ({ form }: Place) => person.page.locator(`${form} .filled`).click()
const typed = ({ form }: Place) => person.page.locator(`${form} [name=comment]`).inputValue()

async function again(place: Place): Promise<void> {
  const { page } = person
  await page.locator('dialog[open]').or(page.locator('.lost')).first().waitFor()
  const button = page.locator('dialog[open] .filled').or(page.locator('.lost button'))
  await button.getByText('Try again').or(page.locator('.lost button')).first().click()
  await person.told(place.of === 'record' ? /Recorded/ : /Logged/)
}

/** What was typed is kept in the tab until now. */
const expectNoDraft = async () =>
  expect(await person.page.evaluate('Object.keys(sessionStorage)')).toEqual([])

async function signIn(): Promise<void> {
  const { page } = person
  await page.waitForURL('**/sign_in/kept?**')
  await page.getByText('what you entered is kept').waitFor()
  await page.fill('[name=username]', 'mio')
  await page.fill('[name=password]', password)
  await page.keyboard.press('Enter')
}

const endSessions = () => site.instance.store.handle.run('delete from sessions')

describe.skipIf(!hasChromium).each(Object.entries(places))('a comment in %s', (_, place) => {
  test('that was sent offline stays, and is recorded once by “Try again”', async () => {
    await type(place)
    await person.context.setOffline(true)
    await press(place)
    await person.page.getByText('was not saved').first().waitFor()
    expect([await typed(place), written()]).toEqual([comment, []])
    await person.context.setOffline(false)
    await again(place)
    expect(written()).toEqual([comment])
    await expectNoDraft()
  })

  test('whose answer was lost is recorded only once', async () => {
    await type(place)
    await person.page.route(`**/${place.of}`, async (route) => {
      await route.fetch({ maxRedirects: 0 })
      await route.abort()
    })
    await press(place)
    await person.page.getByText('was not saved').first().waitFor()
    expect(written()).toEqual([comment])
    await person.page.unrouteAll()
    await again(place)
    expect(written()).toEqual([comment])
    await expectNoDraft()
  })

  test('that was sent after the session ended is recorded once after signing in', async () => {
    await type(place)
    endSessions()
    await press(place)
    await signIn()
    await person.told(place.of === 'record' ? /Recorded/ : /Logged/)
    expect(written()).toEqual([comment])
    await expectNoDraft()
  })

  test('is there again after a reload, and after leaving the page', async () => {
    await type(place)
    await person.page.goto(`${site.baseUrl}/settings`)
    await person.page.goto(site.baseUrl + place.path)
    if (place.of === 'record' || place.form.startsWith('dialog'))
      await person.page.locator(place.opens).first().click()
    expect(await typed(place)).toBe(comment)
    await person.page.reload()
    await person.page.locator(place.form).waitFor()
    expect(await typed(place)).toBe(comment)
    await press(place)
    await person.told(place.of === 'record' ? /Recorded/ : /Logged/)
    expect(written()).toEqual([comment])
  })
})

const row = () => person.page.locator(`#row-${works.onAir} form[data-act=record] button`)

describe.skipIf(!hasChromium)('a press in a row', () => {
  test('that was sent offline stays visible, can be retried, and is done once', async () => {
    const { page, context } = person
    await page.goto(site.baseUrl)
    await context.setOffline(true)
    await row().click()
    const lost = page.locator('#toast .lost', { hasText: 'Record episode 1 of Frieren' })
    await lost.waitFor()
    await context.setOffline(false)
    expect(await findings(page)).toEqual([])
    await lost.getByRole('button', { name: 'Try again' }).click()
    await person.told(/Recorded episode 1/)
    expect([await lost.count(), written()]).toEqual([0, ['']])
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
    endSessions()
    await row().click()
    await signIn()
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

  test('is refused if somebody else has signed in in another tab', async () => {
    await person.page.goto(site.baseUrl)
    await changeCookie(person.context, 'azusa')
    await row().click()
    await person.told(/signed in or out/)
    expect(written()).toEqual([])
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
    await page.locator('.lost').waitFor()
    await context.setOffline(false)
    await page.locator('.lost button').click()
    await person.told(/Added episode 7/)
    expect(rowsOf(handle, 'episodes').filter((episode) => episode.source_id === 3)).toHaveLength(1)
  })
})

async function changeCookie(context: BrowserContext, username: string): Promise<void> {
  const { cookies } = await createMember(site.instance, username)
  const name = cookieName('sid', site.baseUrl)
  await context.addCookies([{ name, value: cookies.get(name) ?? '', url: site.baseUrl }])
}

describe.skipIf(!hasChromium)('Back with the sheet open', () => {
  test('closes it and keeps the text; Forward opens it again', async () => {
    const place = places['the sheet on Track']
    if (place === undefined) throw new Error('unknown place')
    const { page } = person
    await page.goto(`${site.baseUrl}/about`)
    await type(place)
    await page.goBack()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/')
    await page.goForward()
    await page.locator('dialog').waitFor()
    expect(await typed(place)).toBe(comment)
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction('history.state === null')
    await page.locator(place.opens).first().click()
    expect(await typed(place)).toBe(comment)
    await press(place)
    await person.told(/Recorded/)
    await page.waitForFunction('history.state === null')
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe('/about')
  })
})

test.skipIf(!hasChromium)(
  'without script, an expired session offers the filled form after signing in',
  async () => {
    const { page } = await personAt(site, 'mio', { ...phone, javaScriptEnabled: false })
    await page.goto(`${site.baseUrl}/record/new?episode=10101`)
    await page.fill('[name=comment]', comment)
    await page.click('label:has([name=rating_state][value=great])')
    endSessions()
    await page.click('form[data-act=record] .filled')
    await page.fill('[name=username]', 'mio')
    await page.fill('[name=password]', 'wrong password')
    await page.keyboard.press('Enter')
    await page.fill('[name=password]', password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/kept')
    expect([await page.locator('[name=comment]').inputValue(), written()]).toEqual([comment, []])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#toast', { hasText: 'Recorded episode 1' }).waitFor()
    expect(rowsOf(site.instance.store.handle, 'records')).toMatchObject([
      { episode_id: 10_101, comment, rating_state: 'great' },
    ])
    expect(rowsOf(site.instance.store.handle, 'sessions').map((session) => session.kept_form)).toEqual([null])
  },
)
