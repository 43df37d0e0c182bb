import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { routes } from '../../src/app'
import { cookieName } from '../../src/web/cookies'
import { createSite, hasChromium, looks, type Site } from '../support/chromium'
import { findings, layoutProblems, rulesOfLooks } from '../support/findings'
import { pageSamples } from '../support/page-samples'
import { createMember } from '../support/visitor'

/** What is no page: answers of programs. */
const programs = [
  '/livez',
  '/readyz',
  '/oauth/token/info',
  '/covers/:file',
  '/settings/import/:id/rest.csv',
  '/.well-known/oauth-authorization-server',
]

const paths = routes.filter(({ method, path }) => method === 'GET' && !programs.includes(path))

let site: Site
let pages: readonly string[]
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite({ config: { registration: 'open' } })
  const samples = await pageSamples(site.instance)
  pages = paths.map(({ path }) => samples[path] ?? path)
}, 60_000)
afterAll(() => site?.close())

async function contextsOf(username: string | undefined): Promise<BrowserContext[]> {
  const { instance, baseUrl, browser } = site
  const contexts = await Promise.all(looks.map((pageContext) => browser.newContext(pageContext)))
  if (username === undefined) return contexts
  const name = cookieName('sid', baseUrl)
  for (const context of contexts) {
    const value = (await createMember(instance, username)).cookies.get(name) ?? ''
    await context.addCookies([{ name, value, url: baseUrl }])
  }
  return contexts
}

/** The path that a page leads to for somebody who is not signed in. */
async function pathFor(target: string): Promise<string> {
  const answer = await fetch(site.baseUrl + target, { redirect: 'follow', method: 'HEAD' })
  return new URL(answer.url).pathname
}

/** Opens a page; what is wrong with it, unless it leads to one that was seen. */
async function pageContext(page: Page, target: string, seen: ReadonlySet<string>, rules?: readonly string[]) {
  const complaints: string[] = []
  const complain = (message: { text(): string; type(): string }) =>
    message.type() === 'error' && complaints.push(message.text())
  page.on('console', complain)
  const response = await page.goto(site.baseUrl + target)
  const status = response?.status() ?? 0
  const reached = new URL(page.url()).pathname
  const isNew = !seen.has(reached)
  const found = isNew ? [...(await findings(page, rules)), ...(await layoutProblems(page))] : []
  // Not a locator: Playwright's own script would be sent to every page for it.
  const headings = await page.evaluate("document.querySelectorAll('h1').length")
  page.off('console', complain)
  return { reached, status, complaints, found, headings }
}

/**
 * Opens every page in every look; a page that leads to another one is looked at there, once. All rules hold in the first
 * look; the others have the same elements.
 */
async function lookAtAll(username: string | undefined): Promise<void> {
  const contexts = await contextsOf(username)
  await Promise.all(
    contexts.map((context, index) => lookIn(context, index === 0 ? undefined : rulesOfLooks, username)),
  )
}

async function lookIn(
  context: BrowserContext,
  rules: readonly string[] | undefined,
  username: string | undefined,
): Promise<void> {
  const page = await context.newPage()
  const seen = new Set<string>()
  for (const target of pages) {
    if (username === undefined && seen.has(await pathFor(target))) continue
    const { reached, status, complaints, found, headings } = await pageContext(page, target, seen, rules)
    seen.add(reached)
    const sound = { target, reached, status: 200, complaints: [], found: [], headings: 1 }
    expect({ target, reached, status, complaints, found, headings }).toEqual(sound)
  }
  await context.close()
}

describe.skipIf(!hasChromium)('every page, on a phone by day and on a desk by night', () => {
  test('fits the screen and keeps to WCAG 2.2 AA as far as axe can tell, for anybody', async () => {
    await lookAtAll(undefined)
  }, 180_000)

  test('and for an administrator', async () => {
    await site.instance.deps.write((tx) =>
      tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'azusa').execute(),
    )
    pages = pages.filter((target) => !target.startsWith('/setup/'))
    await lookAtAll('azusa')
  }, 180_000)

  test('a form that was refused says first what is wrong, and takes the reader there', async () => {
    const [context] = await contextsOf(undefined)
    const page = (await context?.newPage()) ?? expect.unreachable()
    await page.goto(`${site.baseUrl}/sign_in`)
    await page.fill('#username', 'nobody')
    await page.fill('#password', 'wrong password')
    await page.click('main button')
    await page.locator('.problems').waitFor()
    expect(await page.evaluate('document.activeElement.className')).toBe('problems')
    expect(await page.title()).toStartWith('Error: ')
    expect(await page.inputValue('#username')).toBe('nobody')
    expect(await findings(page)).toEqual([])
  }, 30_000)
})
