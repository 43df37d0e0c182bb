import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { hasChromium, type Site } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { type Person, works } from '../support/flows'
import { createLateSite, freshMio } from '../support/late-site'

let site: Site
let person: Person
beforeAll(async () => {
  if (hasChromium) site = await createLateSite()
}, 60_000)
afterAll(() => site?.close())
beforeEach(async () => {
  if (hasChromium) person = await freshMio(site)
})
afterEach(() => person?.context.close())

const written = () => rowsOf(site.instance.store.handle, 'records').map((record) => record.comment)

const row = () => person.page.locator(`#row-${works.onAir} form[data-act=record] button`)

describe.skipIf(!hasChromium)('a press that waits', () => {
  test('is sent soon when the network comes back, however often it was tried without one, and if that fails too', async () => {
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
})
