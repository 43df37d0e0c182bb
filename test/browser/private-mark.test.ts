import { describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { works } from '../support/flows'
import { keptOnDevice, person, site, useLateSite } from '../support/late-site'
import { until } from '../support/until'

useLateSite(async () => {
  await person.page.goto(site.baseUrl)
})

const box = 'dialog [name=private]'
const records = () => rowsOf(site.instance.store.handle, 'records')
const ticked = () => person.page.isChecked(box)

async function openSheet(): Promise<void> {
  await person.page.locator(`#row-${works.onAir} a.more`).click()
  await person.page.locator('dialog [name=comment]').waitFor()
}
const press = () => person.page.locator('dialog form[data-act=record] .filled').click()

describe.skipIf(!hasChromium)('自分だけ of the sheet (D72)', () => {
  test('goes with a press that waits for the network', async () => {
    await openSheet()
    await person.page.check(box)
    await person.page.route('**/record', (route) => route.abort())
    await press()
    await person.page.locator('dialog').waitFor({ state: 'detached' })
    expect((await keptOnDevice(person)).outbox).toHaveLength(1)
    await person.page.unrouteAll()
    await person.page.evaluate("dispatchEvent(new Event('online'))")
    await person.told(/Recorded/)
    expect(records()).toMatchObject([{ private: 1, withheld: 2 }])
  })

  test('is as it was left with the text of a draft', async () => {
    const { handle } = site.instance.store
    handle.run('update users set private_by_default = 1')
    await openSheet()
    expect(await ticked()).toBe(true)
    await person.page.fill('dialog [name=comment]', 'for everyone')
    await person.page.uncheck(box)
    await until(async () => (await keptOnDevice(person)).drafts.length === 1)
    await person.page.goto(`${site.baseUrl}/about`)
    await person.page.goto(site.baseUrl)
    await openSheet()
    await person.page.locator('dialog .draft').waitFor()
    expect([await ticked(), await person.page.inputValue('dialog [name=comment]')]).toEqual([
      false,
      'for everyone',
    ])
    await person.page.check(box)
    await person.page.fill('dialog [name=comment]', 'for me')
    handle.run('update users set private_by_default = 0')
    await until(async () => JSON.stringify((await keptOnDevice(person)).drafts).includes('for me'))
    await person.page.goto(`${site.baseUrl}/about`)
    await person.page.goto(site.baseUrl)
    await openSheet()
    await person.page.locator('dialog .draft').waitFor()
    expect(await ticked()).toBe(true)
    await press()
    await person.told(/Recorded/)
    expect(records()).toMatchObject([{ comment: 'for me', private: 1 }])
  })

  test('stays unticked in the form of a press that was refused', async () => {
    site.instance.store.handle.run('update users set private_by_default = 1')
    await openSheet()
    await person.page.fill('dialog [name=comment]', 'refused')
    await person.page.uncheck(box)
    const problems = { comment: 'This comment is refused.' }
    await person.page.route('**/record', (route) =>
      route.fulfill({ status: 422, json: { result: 'refused', problems } }),
    )
    await press()
    await person.page.locator('dialog .problems', { hasText: 'This comment is refused.' }).waitFor()
    expect(await ticked()).toBe(false)
  })
})
