import { describe, expect, test } from 'bun:test'
import { recordEpisode } from '../../src/library/acts/record-acts'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { works } from '../support/flows'
import { keptOnDevice, longComment, person, site, useLateSite } from '../support/late-site'
import { until } from '../support/until'

useLateSite()

const written = () => rowsOf(site.instance.store.handle, 'records').map((row) => row.comment)
const outbox = async () => (await keptOnDevice(person)).outbox
const nothingWaits = () => until(async () => (await outbox()).length === 0)

describe.skipIf(!hasChromium)('a press', () => {
  test('that is taken back while it is on its way does not wait again when it fails (D107)', async () => {
    const { page } = person
    await page.goto(site.baseUrl)
    const onItsWay = Promise.withResolvers<void>()
    const failed: string[] = []
    page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname))
    await page.route('**/outbox/undo', (route) => route.abort())
    await page.route('**/record', async (route) => {
      await onItsWay.promise
      await route.abort()
    })
    await page.locator(`#row-${works.onAir} form[data-act=record] button`).click()
    await person.told(/Waiting/)
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
    const labels = async () => (await outbox()).map(({ label }) => label)
    await until(async () => (await labels()).join() === '')
    onItsWay.resolve()
    await until(() => failed.length >= 2)
    expect([failed.slice(0, 2), await labels()]).toEqual([['/record', '/outbox/undo'], ['']])
    await page.unrouteAll()
    await nothingWaits()
    expect(written()).toEqual([])
  })

  test('whose episode was recorded elsewhere meanwhile adds its comment from the list of what needs its person', async () => {
    const { page, context } = person
    await page.goto(site.baseUrl)
    await page.locator(`#row-${works.onAir} a.more`).click()
    const sheet = page.locator('dialog form[data-act=record]')
    await sheet.locator('[name=comment]').fill(longComment)
    await context.setOffline(true)
    await sheet.locator('.filled').click()
    await page.locator('[data-outbox="1"]').waitFor({ state: 'attached' })
    await recordEpisode(site.instance.deps, 1, { episodeId: works.onAir * 100 + 1 })
    await page.goto('about:blank')
    await context.setOffline(false)
    await page.goto(`${site.baseUrl}/settings/phone`)
    await page.locator('[data-part=needs] blockquote', { hasText: '夜の場面がすごい。' }).waitFor()
    expect(written()).toEqual([''])
    const sent = page.waitForResponse('**/record')
    await page.getByRole('button', { name: 'Add this comment' }).click()
    await sent
    expect(written()).toEqual(['', longComment])
    await nothingWaits()
  })
})
