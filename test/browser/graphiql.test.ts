import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { cookieName } from '../../src/web/cookies'
import { createSite, hasChromium, looks, type Site } from '../support/chromium'
import { findings, layoutProblems, rulesOfLooks } from '../support/findings'
import { createMember } from '../support/visitor'

let site: Site
beforeAll(async () => {
  if (hasChromium) site = await createSite()
}, 60_000)
afterAll(() => site?.close())

const problems = async (page: Page, rules?: readonly string[]) => [
  ...(await findings(page, rules)),
  ...(await layoutProblems(page)),
]

const result = (page: Page) => page.locator('.result-window .CodeMirror-code')
const storage = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'
const run = (page: Page) => page.locator('.graphiql-execute-button').click()

/** As with a mouse: what was typed takes effect when the field loses focus. */
async function giveToken(page: Page, token: string): Promise<void> {
  await page.fill('#graphql-token', token)
  await page.locator('#graphql-token').blur()
}

/** GraphiQL as `mio`, with its requests and complaints. */
async function open(look: BrowserContextOptions) {
  const context = await site.browser.newContext(look)
  const name = cookieName('sid', site.baseUrl)
  const value = (await createMember(site.instance, 'mio')).cookies.get(name) ?? ''
  await context.addCookies([{ name, value, url: site.baseUrl }])
  const page = await context.newPage()
  const origins = new Set<string>()
  const complaints: string[] = []
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${site.baseUrl}/graphql`)
  await page.locator('.graphiql-query-editor .CodeMirror-code').waitFor()
  return { page, origins, complaints, close: () => context.close() }
}

test.skipIf(!hasChromium).each([...looks])(
  'GraphiQL runs the first query with a token, shows errors and the documentation, and asks nobody but the instance',
  async (look) => {
    const { page, origins, complaints, close } = await open(look)
    const rules = look === looks[0] ? undefined : rulesOfLooks
    expect(await page.textContent('.graphiql-query-editor .CodeMirror-code')).toContain(
      look.locale === 'ja' ? 'アクセストークンを貼り付けます' : 'Paste an access token',
    )
    const ground = await page.evaluate(
      "getComputedStyle(document.querySelector('.graphiql-container')).backgroundColor",
    )
    expect(ground).toBe(look.colorScheme === 'dark' ? 'rgb(33, 42, 59)' : 'rgb(255, 255, 255)')
    expect(await problems(page, rules)).toEqual([])

    await run(page)
    await result(page)
      .getByText(look.locale === 'ja' ? '先に' : 'first.')
      .waitFor()
    await giveToken(page, await site.instance.tokenOf('mio', 'read'))
    await run(page)
    await result(page).getByText('"mio"').waitFor()
    expect(await problems(page, rules)).toEqual([])

    await page.getByLabel('Show Documentation Explorer').click()
    await page.locator('.graphiql-doc-explorer-type-name', { hasText: /^Query$/ }).click()
    await page.locator('.graphiql-doc-explorer-field-name', { hasText: 'viewer' }).waitFor()
    expect(await problems(page, rules)).toEqual([])
    await page.getByLabel('Hide Documentation Explorer').click()
    await page.getByLabel('Open settings dialog').click()
    await page.locator('.graphiql-dialog').waitFor()
    expect(await problems(page, rules)).toEqual([])
    expect(complaints).toEqual([])
    expect([...origins]).toEqual([site.baseUrl])
    await close()
  },
  60_000,
)

test.skipIf(!hasChromium)(
  'what the API refuses is shown, the token is not stored, and the keyboard can leave the editor',
  async () => {
    const { page, close } = await open(looks[1] ?? {})
    await giveToken(page, 'wrong')
    await run(page)
    await result(page).getByText('"Not authorized"').waitFor()
    const token = await site.instance.tokenOf('mio', 'read')
    await giveToken(page, token)
    await page.locator('.graphiql-query-editor .CodeMirror').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('{ viewer { nothing } }')
    await page.keyboard.press('Control+Enter')
    await result(page).getByText('Cannot query field').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('TEXTAREA')
    // It stores what was typed a moment later.
    let stored = ''
    while (!stored.includes('nothing')) stored = await page.evaluate(storage)
    expect(stored).not.toContain(token)
    expect(await page.evaluate('localStorage.length')).toBe(0)
    await close()
  },
  60_000,
)
