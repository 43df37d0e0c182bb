import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/chromium'
import { createScriptSite, type ScriptSite } from '../support/script-site'
import { until } from '../support/until'

let site: ScriptSite
beforeAll(async () => {
  if (hasChromium) site = await createScriptSite()
}, 60_000)
afterAll(() => site?.close())
beforeEach(() => {
  Object.assign(site ?? {}, { answers: 'well' })
  site?.rows.clear()
  for (const row of [1, 2, 3]) site?.rows.set(row, 0)
  site?.requests.splice(0)
})

/** Presses the button of row 2, and again as soon as its successor has appeared. */
const doubleTap = `new Promise((done) => {
  const press = () => document.querySelector('#row-2 .tick').click()
  new MutationObserver((_, observer) => {
    if (document.querySelector('#row-2 b').textContent !== '1') return
    observer.disconnect()
    press()
    done(performance.now())
  }).observe(document.querySelector('.rows'), { childList: true })
  press()
})`

describe.skipIf(!hasChromium)('accidental presses', () => {
  test('a double tap counts as one press, and the next press counts', async () => {
    const page = await site.open()
    const pressed = Number(await page.evaluate(doubleTap))
    await until(async () => Number(await page.evaluate('performance.now()')) > pressed + 400)
    await page.getByLabel('record 2').click()
    await page.locator('#row-2 b', { hasText: '2' }).waitFor()
    expect(site.requests.filter((request) => request.startsWith('POST'))).toHaveLength(2)
  })

  test('a press outside the dialog, or Escape, loses nothing that was typed', async () => {
    const page = await site.open()
    const dialog = page.getByRole('dialog')
    const open = async () => {
      await page.getByRole('link', { name: 'Keys' }).click()
      await dialog.waitFor()
    }
    const leaveBy = async (act: (page: Page) => Promise<void>) => {
      await act(page)
      await dialog.waitFor({ state: 'detached' })
      await open()
    }
    const text = () => dialog.getByLabel('words').inputValue()
    await open()
    await dialog.getByLabel('words').fill('夜の場面がすごい')
    await leaveBy((page) => page.mouse.click(5, 5))
    expect(await text()).toBe('夜の場面がすごい')
    await leaveBy((page) => page.keyboard.press('Escape'))
    expect(await text()).toBe('夜の場面がすごい')
  })

  test('a press on the toast uncovers what is below it; its button still works', async () => {
    const page = await site.open('/list?said=2')
    const toast = page.locator('.toast')
    await toast.getByText('recorded 2').click()
    await toast.waitFor({ state: 'detached' })
    await page.goto(`${site.baseUrl}/list?said=2`)
    await Promise.all([page.waitForResponse('**/undo'), toast.getByRole('button').click()])
  })
})
