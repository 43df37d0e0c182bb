import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/chromium'
import { findings } from '../support/findings'
import { createScriptSite, type ScriptSite } from '../support/script-site'

let site: ScriptSite
beforeAll(async () => {
  if (hasChromium) site = await createScriptSite()
}, 60_000)
afterAll(() => site?.close())
beforeEach(() => {
  for (const row of [1, 2, 3]) site?.rows.set(row, 0)
  site?.requests.splice(0)
})

describe.skipIf(!hasChromium)('a press in a row', () => {
  test('that was not saved stays visible next to later messages, and can be retried', async () => {
    site.answers = 'never'
    const page = await site.open()
    await page.getByLabel('record 1').click()
    const lost = page.locator('#toast .lost', { hasText: 'record 1' })
    await lost.waitFor()
    expect(await page.getByLabel('record 1').isEnabled()).toBe(true)
    site.answers = 'well'
    await page.getByLabel('record 2').click()
    await page.locator('#toast', { hasText: 'recorded 2' }).waitFor()
    expect(await page.evaluate("getComputedStyle(document.querySelector('.lost')).animationName")).toBe(
      'none',
    )
    expect(await findings(page)).toEqual([])
    await lost.getByRole('button', { name: 'Try again' }).click()
    await page.locator('#row-1 b', { hasText: '1' }).waitFor()
    expect(await lost.count()).toBe(0)
    expect(site.rows).toEqual(
      new Map([
        [1, 1],
        [2, 1],
        [3, 0],
      ]),
    )
  })

  test('that was saved without a response is not sent again', async () => {
    site.answers = 'never'
    const page = await site.open()
    await page.getByLabel('record 3').click()
    const lost = page.locator('#toast .lost')
    await lost.waitFor()
    site.rows.delete(3)
    await lost.getByRole('button').click()
    await page.locator('#row-3').waitFor({ state: 'detached' })
    await lost.waitFor({ state: 'detached' })
    expect(site.requests.filter((request) => request.startsWith('POST'))).toEqual(['POST /record row=3'])
  })
})

describe.skipIf(!hasChromium)('a form in a dialog', () => {
  test('shows its error there, keeps what was typed, and closes once it is accepted', async () => {
    site.answers = 'never'
    const page = await site.open()
    const dialog = page.getByRole('dialog')
    await page.getByRole('link', { name: 'Keys' }).click()
    await dialog.getByLabel('words').fill('夜の場面がすごい')
    await dialog.getByRole('button', { name: 'send' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'was not saved' }).waitFor()
    expect(await dialog.getByLabel('words').inputValue()).toBe('夜の場面がすごい')
    expect(await findings(page)).toEqual([])
    site.answers = 'well'
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('#row-1 b', { hasText: '1' }).waitFor()
    await page.getByRole('link', { name: 'Keys' }).click()
    expect(await dialog.getByLabel('words').inputValue()).toBe('')
  })
})

test.skipIf(!hasChromium)('keeps what was typed when the session ends', async () => {
  site.answers = 'elsewhere'
  const page = await site.open()
  const dialog = page.getByRole('dialog')
  await page.getByRole('link', { name: 'Keys' }).click()
  await dialog.getByLabel('words').fill('夜の場面がすごい')
  await dialog.getByRole('button', { name: 'send' }).click()
  const way = dialog.getByRole('alert').getByRole('link', { name: '/sign_in' })
  expect(await way.getAttribute('target')).toBe('_blank')
  site.answers = 'well'
  await dialog.getByRole('button', { name: 'send' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('#row-1 b', { hasText: '1' }).waitFor()
})
