import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { works } from '../support/flows'
import {
  endSessions,
  keptOnDevice,
  longComment,
  person,
  signInAgain,
  site,
  useLateSite,
} from '../support/late-site'
import { until } from '../support/until'

useLateSite()

const comment = longComment

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
  const [field, summary] = [page.locator(`${form} [name=comment]`), page.locator(`${form} summary`)]
  await field.waitFor({ state: 'attached' })
  if ((await summary.count()) > 0 && !(await field.isVisible())) await summary.click()
  await field.fill(comment)
}

const press = ({ form }: Place) => person.page.locator(`${form} .filled`).click()
const typed = ({ form }: Place) => person.page.locator(`${form} [name=comment]`).inputValue()
/** The device's database is read after the page is there. */
const isBack = (place: Place) => until(async () => (await typed(place)) === comment)

const expectNothingKept = async () => {
  await person.page.locator('[data-outbox="0"]').waitFor({ state: 'attached' })
  // The count is drawn when a run ends: a press may just have been written down.
  await until(async () => (await keptOnDevice(person)).outbox.length === 0)
  expect(await keptOnDevice(person)).toEqual({ outbox: [], drafts: [] })
}

describe.skipIf(!hasChromium).each(Object.entries(places))('a comment in %s', (_, place) => {
  test('that was pressed offline is recorded once as soon as there is a network (D106)', async () => {
    await type(place)
    await person.context.setOffline(true)
    await press(place)
    await person.page.locator('[data-outbox="1"][data-offline]').waitFor()
    await person.told(/Waiting/)
    await person.page.locator('dialog').waitFor({ state: 'detached' })
    expect(written()).toEqual([])
    await person.context.setOffline(false)
    await person.told(/Recorded/)
    expect(written()).toEqual([comment])
    await expectNothingKept()
  })

  test('whose answer was lost is recorded only once, by itself (D107)', async () => {
    await type(place)
    await person.page.route(`**/${place.of}`, async (route) => {
      await route.fetch({ maxRedirects: 0 })
      await route.abort()
    })
    await press(place)
    await person.page.locator('[data-outbox="1"]').waitFor()
    await person.told(/Waiting/)
    expect(written()).toEqual([comment])
    await person.page.unrouteAll()
    await person.told(/Recorded/)
    expect(written()).toEqual([comment])
    await expectNothingKept()
  })

  test('that was pressed after the session ended is recorded once after signing in', async () => {
    await type(place)
    endSessions(site)
    await press(place)
    await signInAgain(person)
    await person.page.locator('[data-outbox="0"]').waitFor({ state: 'attached' })
    await expectNothingKept()
    expect(written()).toEqual([comment])
  })

  test('is there again after a reload, and after leaving the page', async () => {
    await type(place)
    await person.page.goto(`${site.baseUrl}/settings`)
    await person.page.goto(site.baseUrl + place.path)
    if (place.of === 'record' || place.form.startsWith('dialog'))
      await person.page.locator(place.opens).first().click()
    await isBack(place)
    await person.page.reload()
    await person.page.locator(place.form).waitFor()
    await isBack(place)
    await press(place)
    await person.told(/Recorded/)
    expect(written()).toEqual([comment])
  })
})

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
    await isBack(place)
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction('history.state === null')
    await page.locator(place.opens).first().click()
    await isBack(place)
    await press(place)
    await person.told(/Recorded/)
    await page.waitForFunction('history.state === null')
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe('/about')
  })
})

describe.skipIf(!hasChromium)('a press whose answer is another page', () => {
  test('goes there, where its message is still shown (W32)', async () => {
    const { page } = person
    await page.goto(
      `${site.baseUrl}/record/new?episode=${works.onAir * 100 + 1}&return_to=/works/${works.onAir}`,
    )
    await page.fill('#comment', comment)
    await page.locator('form[data-act=record] .filled').click()
    await page.waitForURL(`**/works/${works.onAir}`)
    await person.told(/Recorded/)
    expect(written()).toEqual([comment])
  })
})

describe.skipIf(!hasChromium)('what was typed', () => {
  const openSheet = async () => {
    await person.page.locator(`#row-${works.onAir} a.more`).click()
    return person.page.locator('dialog form[data-act=record]')
  }

  test('is in the sheet again when the press is taken back before it was sent (D106)', async () => {
    const { page, context } = person
    await page.goto(site.baseUrl)
    const sheet = await openSheet()
    await sheet.locator('[name=comment]').fill(longComment)
    await sheet.locator('.face.good').click()
    await context.setOffline(true)
    await sheet.locator('.filled').click()
    await person.told(/Waiting/)
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
    await page.locator('[data-outbox="0"]').waitFor({ state: 'attached' })
    await context.setOffline(false)
    await until(async () => (await keptOnDevice(person)).outbox.length === 0)
    const again = await openSheet()
    await again.locator('.draft').waitFor()
    expect(await again.locator('[name=comment]').inputValue()).toBe(longComment)
    expect(await again.locator('[value=good]').isChecked()).toBe(true)
    expect(written()).toEqual([])
  })

  test('about an episode that another tab recorded first stays in the sheet, which asks (D107)', async () => {
    const { page, context } = person
    await page.goto(site.baseUrl)
    const sheet = await openSheet()
    await sheet.locator('[name=comment]').fill(longComment)
    const other = await context.newPage()
    await other.goto(site.baseUrl)
    await other.locator(`#row-${works.onAir} form[data-act=record] button`).click()
    await other.locator('#toast', { hasText: 'Recorded episode 1' }).waitFor()
    await sheet.locator('.filled').click()
    await page.getByText('This episode is already recorded. Your comment is still here.').waitFor()
    expect([await sheet.locator('[name=comment]').inputValue(), written()]).toEqual([longComment, ['']])
    await page.getByRole('button', { name: 'Add this comment' }).click()
    await expectNothingKept()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(written()).toEqual(['', longComment])
  })

  test('about a film counts as one viewing, however often it is pressed while it waits', async () => {
    const { page, context } = person
    await page.goto(`${site.baseUrl}/works/${works.film}`)
    await context.setOffline(true)
    await page.locator('#viewing .face.good').click()
    await person.told(/Waiting/)
    await page.locator('#viewing .filled').click()
    await page.locator('#viewing .face.great').click()
    await context.setOffline(false)
    await person.told(/Recorded/)
    await expectNothingKept()
    expect(rowsOf(site.instance.store.handle, 'reviews')).toMatchObject([{ rating_overall_state: 'good' }])
  })
})
