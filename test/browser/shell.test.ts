import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/chromium'
import { findings } from '../support/findings'
import { createScriptSite, type ScriptSite } from '../support/script-site'

let site: ScriptSite
let page: Page
beforeAll(async () => {
  if (hasChromium) site = await createScriptSite()
}, 60_000)
afterAll(() => site?.close())
beforeEach(() => {
  Object.assign(site ?? {}, { answers: 'well', preferences: {} })
  site?.rows.clear()
  for (const row of [1, 2, 3]) site?.rows.set(row, 0)
  site?.requests.splice(0)
})

const focused = () =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.id")
const said = () => page.locator('#toast').textContent()
const chosen = () => page.evaluate("document.querySelector('.chosen')?.id ?? ''")
const isAt = (path: string) => page.waitForURL(site.baseUrl + path)

describe.skipIf(!hasChromium)('data-swap', () => {
  test('replaces only its fragment, keeps the focus and says what was done', async () => {
    page = await site.open()
    await page.evaluate("document.querySelector('h1').dataset.kept = 'yes'")
    await page.getByLabel('record 2').click()
    await page.locator('#row-2 b', { hasText: '1' }).waitFor()
    expect(await page.getAttribute('h1', 'data-kept')).toBe('yes')
    expect(await focused()).toBe('record 2')
    expect(await said()).toContain('recorded 2')
    expect(await page.getAttribute('#row-2', 'class')).toBe('row changed')
    expect(page.url()).toBe(`${site.baseUrl}/list`)
    expect(site.requests).toEqual(['GET /list', 'POST /record row=2', 'GET /list said=2'])
    expect(await findings(page)).toEqual([])
  })

  test('removes a fragment that is gone, and moves the focus to its neighbour', async () => {
    site.rows.set(2, 2)
    page = await site.open()
    await page.getByLabel('record 2').click()
    await page.locator('#row-2').waitFor({ state: 'detached' })
    expect(await focused()).toBe('record 3')
  })

  test('shows a refusal, and changes nothing else', async () => {
    site.answers = 'with an error'
    page = await site.open()
    await page.getByLabel('record 1').click()
    await page.locator('#toast .toast', { hasText: 'It is too late.' }).waitFor()
    expect(await page.textContent('#row-1 b')).toBe('0')
  })

  test('opens a response that is another page', async () => {
    site.answers = 'elsewhere'
    page = await site.open()
    await page.getByLabel('record 1').click()
    await isAt('/sign_in')
  })

  test('works as a plain form without a script', async () => {
    const context = await site.browser.newContext({ javaScriptEnabled: false })
    page = await context.newPage()
    await page.goto(`${site.baseUrl}/list`)
    await page.getByLabel('record 2').click()
    expect(await page.textContent('#row-2 b')).toBe('1')
    expect(await said()).toContain('recorded 2')
    await context.close()
  })
})

describe.skipIf(!hasChromium)('data-instant', () => {
  test('shows results while typing, also in the address, and sends one request for several letters', async () => {
    page = await site.open('/search?q=')
    await page.getByLabel('words').pressSequentially('frieren')
    await page.locator('#results', { hasText: 'found frieren' }).waitFor()
    await isAt('/search?q=frieren')
    expect(await page.title()).toStartWith('Results for frieren')
    expect(await focused()).toBe('words')
    expect(site.requests.length).toBeLessThan(6)
  })
})

test.skipIf(!hasChromium)('in Find, shows results while typing, and Back leads away from them', async () => {
  page = await site.open('/seasons/now')
  await page.getByRole('search').getByRole('searchbox').pressSequentially('frieren')
  await page.locator('#results', { hasText: 'found frieren' }).waitFor()
  await isAt('/search?q=frieren')
  expect(await focused()).toBe('Search')
  await page.goBack()
  await page.getByRole('heading', { name: '/seasons/now' }).waitFor()
})

describe.skipIf(!hasChromium)('data-confirm', () => {
  test('asks before the form is sent, and accepts no', async () => {
    page = await site.open()
    const button = page.locator('main > form .danger')
    await button.click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.textContent()).toContain('Delete everything?')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(site.requests).toEqual(['GET /list'])
    expect(await page.evaluate('document.activeElement.className')).toBe('danger')
    await button.click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/list?said=*')
    expect(site.requests).toContain('POST /delete')
  })
})

describe.skipIf(!hasChromium)('keys', () => {
  test('j and k choose a row, Enter opens it, Escape leaves it', async () => {
    page = await site.open()
    const steps: string[] = []
    for (const key of ['j', 'j', 'j', 'j', 'k', 'Escape']) {
      await page.keyboard.press(key)
      steps.push(`${key} ${await chosen()}`)
    }
    expect(steps).toEqual(['j row-1', 'j row-2', 'j row-3', 'j row-3', 'k row-2', 'Escape '])
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await isAt('/works/1')
  })

  test('act on the chosen row, which stays chosen', async () => {
    page = await site.open()
    for (const key of ['j', 'j', 'r']) await page.keyboard.press(key)
    await page.locator('#row-2 b', { hasText: '1' }).waitFor()
    expect([await chosen(), await focused()]).toEqual(['row-2', 'row-2'])
    for (const key of ['s', '2']) await page.keyboard.press(key)
    await page.locator('#row-2 b', { hasText: '2' }).waitFor()
    expect(site.requests).toContain('POST /status row=2&kind=watching')
  })

  test('record nothing without a chosen row', async () => {
    page = await site.open()
    for (const key of ['r', 's', '2', 'u']) await page.keyboard.press(key)
    await page.keyboard.press('Shift+Slash')
    await page.getByRole('dialog').waitFor()
    expect(site.requests.filter((one) => one.startsWith('POST'))).toEqual([])
  })

  test.each([
    ['g t', '/'],
    ['g f', '/seasons/now'],
    ['g l', '/@mio/library/watching'],
    ['g m', '/@mio'],
    [']', '/list/2'],
  ])('%s goes to %s', async (keys, path) => {
    page = await site.open()
    for (const key of keys.split(' ')) await page.keyboard.press(key)
    await isAt(path)
  })

  test('z undoes what the toast says', async () => {
    page = await site.open('/list?said=2')
    await Promise.all([page.waitForResponse('**/undo'), page.keyboard.press('z')])
    expect(site.requests.join()).toMatch(/POST \/undo csrf=token&(?:return_to=[^&]*&)?act_id=2/)
  })

  test('/ goes to the search field; typing there triggers no keys', async () => {
    page = await site.open()
    await page.keyboard.press('/')
    expect(await focused()).toBe('Search')
    await page.keyboard.type('jjr?z')
    expect([await chosen(), await page.inputValue('[role=search] input')]).toEqual(['', 'jjr?z'])
  })

  test('do nothing during composition, or with Control', async () => {
    page = await site.open()
    const pressed = (init: object) =>
      page.evaluate(
        `dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify({ key: 'j', code: 'KeyJ', ...init })}))`,
      )
    await pressed({ isComposing: true })
    await pressed({ ctrlKey: true })
    expect(await chosen()).toBe('')
    await pressed({ key: 'ま' })
    expect(await chosen()).toBe('row-1')
  })

  test('can be switched off', async () => {
    site.preferences = { hasKeys: false }
    page = await site.open()
    for (const key of ['j', 'Shift+Slash', '/']) await page.keyboard.press(key)
    expect([await chosen(), await page.getByRole('dialog').count()]).toEqual(['', 0])
  })
})
