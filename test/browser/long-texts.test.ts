import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSite, hasChromium, looks, type Site } from '../support/chromium'
import { fillCatalogue, type Person, personAt, works } from '../support/flows'

let site: Site
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  await fillCatalogue(site)
}, 60_000)
afterAll(() => site?.close())

const long = '庭'.repeat(10_000)
const texts = (sql: string) =>
  site.instance.store.handle
    .query<{ text: string }, []>(sql)
    .all()
    .map(({ text }) => text)

describe.skipIf(!hasChromium).each([true, false])('ten thousand characters, script %p', (hasScript) => {
  let person: Person
  beforeAll(async () => {
    person = await personAt(site, 'mio', { ...looks[0], javaScriptEnabled: hasScript })
    for (const table of ['records', 'reviews', 'notes'])
      site.instance.store.handle.run(`delete from ${table}`)
  })
  afterAll(() => person.context.close())

  const fill = async (path: string, name: string, button: string) => {
    const { page } = person
    await page.goto(site.baseUrl + path)
    const form = page.locator(`form:has(textarea[name="${name}"])`)
    await form.locator('details:not([open]) summary').evaluateAll((all) => {
      for (const one of all) one.parentElement?.setAttribute('open', '')
    })
    await form.locator('textarea').fill(long)
    const isQueued = (await form.getAttribute('data-queue')) !== null
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await form.locator(button).first().click()
    // With script, the outbox asks for JSON and then shows the page.
    expect((await answered).status()).toBe(hasScript && isQueued ? 200 : 303)
    await page.locator('#toast .toast').waitFor()
  }

  test('are stored with a record, when it is created and when it is edited', async () => {
    await fill(`/record/new?episode=${works.onAir * 100 + 1}`, 'comment', 'button.filled')
    expect(texts('select comment as text from records')).toEqual([long])
    const [id] = texts('select id as text from records')
    site.instance.store.handle.run("update records set comment = ''")
    await fill(`/records/${id}/edit`, 'comment', 'button.filled')
    expect(texts('select comment as text from records')).toEqual([long])
  })

  test('are stored with a film and with a private note', async () => {
    await fill(`/works/${works.film}`, 'comment', 'button.filled')
    expect(texts('select body as text from reviews')).toEqual([long])
    await fill(`/works/${works.onAir}?note=edit`, 'text', 'button')
    expect(texts('select text from notes')).toEqual([long])
  })
})
