import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { fillCatalogue, type Person, personAt, works } from '../support/flows'

let site: Site
let person: Person
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  await fillCatalogue(site)
  const { handle } = site.instance.store
  handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watched', 1)", [
    works.complete,
  ])
  person = await personAt(site, 'mio', { viewport: { width: 390, height: 844 }, locale: 'en' })
}, 60_000)
afterAll(async () => {
  await person?.context.close()
  await site?.close()
})

describe.skipIf(!hasChromium)('what was watched long ago (D89)', () => {
  test('is chosen in a dialog, whose button counts what is ticked, and recorded on the page below it', async () => {
    const { page } = person
    const { handle } = site.instance.store
    const [[count] = []] = handle
      .query('select count(*) from episodes where work_id = ?')
      .values(works.complete)
    const address = `${site.baseUrl}/works/${works.complete}`
    await page.goto(address)
    await page.getByRole('link', { name: 'When did you see it?' }).click()
    const dialog = page.locator('dialog[open]')
    const button = dialog.locator('button.filled')
    expect(await button.textContent()).toBe(`Record · works 1 · episodes ${count}`)
    await dialog.locator('[name^="work_"]').uncheck()
    expect(await button.textContent()).toBe('Record · works 0 · episodes 0')
    await dialog.locator('[name^="work_"]').check()
    expect(await button.textContent()).toBe(`Record · works 1 · episodes ${count}`)
    await dialog.locator('.chip').nth(2).click()
    await button.click()
    await person.told(/Recorded \d+ episodes/)
    expect([await dialog.count(), page.url()]).toEqual([0, address])
    expect(handle.query('select distinct watched_at_precision from records').values()).toEqual([['year']])
  })
})
