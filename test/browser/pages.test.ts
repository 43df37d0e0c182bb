import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { cookieName } from '../../src/web/cookies'
import { createSite, hasChromium, looks, type Site } from '../support/chromium'
import { findings, layoutProblems, rulesOfLooks } from '../support/findings'
import { pagePaths, pageSamples } from '../support/page-samples'
import { createMember, createVisitor } from '../support/visitor'

let site: Site
let pages: readonly string[]
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite({ config: { registration: 'open' } })
  const samples = await pageSamples(site.instance)
  pages = pagePaths.map((path) => samples[path] ?? path)
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

/** A page worth looking at. */
interface Sight {
  readonly target: string
  /** Whether it has a kind of element that no earlier page had. */
  readonly hasNewKinds: boolean
}

const seen = { structures: new Set<string>(), kinds: new Set<string>() }

/**
 * Pages structured unlike earlier ones, after redirects; a page that differs only in words and in its number of rows
 * is only requested.
 */
async function sightsOf(username: string | undefined): Promise<Sight[]> {
  const visitor =
    username === undefined ? createVisitor(site.instance) : await createMember(site.instance, username)
  const sights: Sight[] = []
  for (const target of pages) {
    const { status, text } = await visitor.follow(target)
    expect([target, status, text.match(/<h1[ >]/g)?.length]).toEqual([target, 200, 1])
    const structure = structureOf(text)
    const kinds = text.match(/<[a-z][^>]*>/g)?.map(kindOf) ?? []
    if (!seen.structures.has(structure))
      sights.push({ target, hasNewKinds: kinds.some((kind) => !seen.kinds.has(kind)) })
    seen.structures.add(structure)
    for (const kind of kinds) seen.kinds.add(kind)
  }
  return sights
}

/** The elements of a page without their text, with equal neighbours collapsed. */
const structureOf = (html: string) =>
  html
    .replaceAll(/<input type="hidden"[^>]*>/g, '')
    .replaceAll(/>[^<]+</g, '><')
    .replaceAll(/ ((?!class=|type=|role=)[a-z-]+)="[^"]*"/gi, ' $1')
    .replaceAll(/(<(li|tr|option|p|dt|dd|a|span|article|section)\b[^>]*>(?:(?!<\2\b).)*?<\/\2>)\1+/gs, '$1')

/** What determines the colours and the size of an element. */
const kindOf = (tag: string) =>
  [/^<[a-z0-9]+/.exec(tag), ...(tag.match(/ (?:class|type)="[^"]*"/g) ?? [])].join('')

/** The children of the body and of its main part, as the script left them, and the number of headings. */
const lookAtParts = `({
  parts: [['body', document.body], ['main', document.querySelector('main')]].flatMap(([name, element]) =>
    [...(element?.children ?? [])].map((part, index) => [name + ' > :nth-child(' + (index + 1) + ')', part.outerHTML])),
  headings: document.querySelectorAll('h1').length,
})`

interface Parts {
  readonly parts: readonly (readonly [selector: string, html: string])[]
  readonly headings: number
}

/** How to look at pages; axe can skip parts with a structure seen before. */
interface Look {
  readonly page: Page
  readonly rules: readonly string[] | undefined
  readonly seen: Set<string>
}

/** Opens a page; returns what is wrong with it. */
async function pageContext({ page, rules, seen }: Look, { target }: Sight) {
  const complaints: string[] = []
  const complain = (message: { text(): string; type(): string }) =>
    message.type() === 'error' && complaints.push(message.text())
  page.on('console', complain)
  const response = await page.goto(site.baseUrl + target)
  const status = response?.status() ?? 0
  // Not a locator, for which Playwright would send its own script to every page.
  const { parts, headings } = await page.evaluate<Parts>(lookAtParts)
  const built = parts.map(([selector, html]) => [selector, structureOf(html)] as const)
  const without = built.filter(([, structure]) => seen.has(structure)).map(([selector]) => selector)
  for (const [, structure] of built) seen.add(structure)
  const found = [...(await findings(page, rules, { without })), ...(await layoutProblems(page))]
  page.off('console', complain)
  return { status, complaints, found, headings }
}

/** On a phone by all rules; on a desktop by those about what differs there, for pages with a new kind of element. */
async function lookAtAll(username: string | undefined): Promise<void> {
  const sights = await sightsOf(username)
  const [phone, desk] = await contextsOf(username)
  const atDesk = sights.filter(({ hasNewKinds }) => hasNewKinds)
  await Promise.all([lookIn(phone, sights), lookIn(desk, atDesk, rulesOfLooks)])
}

async function lookIn(
  context: BrowserContext | undefined,
  sights: readonly Sight[],
  rules?: readonly string[],
): Promise<void> {
  const page = (await context?.newPage()) ?? expect.unreachable()
  const look = { page, rules, seen: new Set<string>() }
  expect(sights.length).toBeGreaterThan(10)
  for (const sight of sights) {
    const { target } = sight
    const sound = { target, status: 200, complaints: [], found: [], headings: 1 }
    expect({ target, ...(await pageContext(look, sight)) }).toEqual(sound)
  }
  await context?.close()
}

describe.skipIf(!hasChromium)('every page, on a light phone and a dark desktop', () => {
  test('fits the screen and conforms to WCAG 2.2 AA as far as axe can tell, for visitors', async () => {
    await lookAtAll(undefined)
  }, 180_000)

  test('and for an administrator', async () => {
    await site.instance.deps.write((tx) =>
      tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'azusa').execute(),
    )
    pages = pages.filter((target) => !target.startsWith('/setup/'))
    await lookAtAll('azusa')
  }, 180_000)

  test('a refused form first says what is wrong, and takes the reader there', async () => {
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
  })
})
