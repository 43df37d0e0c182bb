import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { personAt } from '../support/flows'
import { pagePaths, pageSamples } from '../support/page-samples'
import { createMember } from '../support/visitor'

let site: Site
let pages: readonly string[]
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite({ config: { registration: 'open' } })
  const samples = await pageSamples(site.instance)
  const { handle } = site.instance.store
  handle.run("update users set is_admin = 1 where username = 'azusa'")
  // Longer than a screen.
  for (let id = 300; id < 340; id += 1) {
    handle.run(
      "insert into works (id, title, media, season_year, season, source_id) values (?, ?, 'tv', 2021, 'spring', 1)",
      [id, `作品${id}`],
    )
    handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (4, ?, 'watching', 1)", [id])
  }
  for (let id = 300; id < 330; id += 1)
    handle.run('insert into channels (id, name, source_id) values (?, ?, 1)', [id, `チャンネル${id}`])
  pages = [...pagePaths.map((path) => samples[path] ?? path), '/@azusa/library/watching?select=1']
}, 60_000)
afterAll(() => site?.close())

/** What Tab leads to in the main part, forwards and backwards, that something floating covers: `Save under .action-bar`. */
const covered = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('html { font-size: 200% }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    const floats = (one) => ['fixed', 'sticky'].includes(getComputedStyle(one).position)
    const floatAt = (control, x, y) => {
      for (let one = document.elementFromPoint(x, y); one !== null; one = one.parentElement) {
        if (one.contains(control)) return undefined
        if (floats(one)) return one
      }
    }
    const found = new Set()
    for (const one of document.querySelectorAll('[hidden]'))
      if (one.checkVisibility()) found.add('what is hidden is shown: ' + one.outerHTML.slice(0, 60))
    const controls = [...document.querySelectorAll('main :is(a[href], button, input:not([type=hidden]), select, textarea, summary)')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
    for (const control of [...controls, ...controls.toReversed()]) {
      control.focus()
      const seen = control.matches('input') && control.labels[0]?.matches('.chip, .face') ? control.labels[0] : control
      const { left, right, top, bottom, height } = seen.getBoundingClientRect()
      // Of a text, its line with the cursor.
      if (height > innerHeight / 3 || control.matches('textarea')) continue
      for (const y of [top + 2, (top + bottom) / 2, bottom - 2]) {
        const float = floatAt(control, (left + right) / 2, y)
        const name = (control.ariaLabel || control.textContent || control.name || control.outerHTML).trim().slice(0, 30)
        if (float) found.add(name + ' under ' + float.className)
        else if (y < 0 || y > innerHeight) found.add(name + ' is not on the screen')
      }
    }
    scrollTo(0, document.documentElement.scrollHeight)
    const end = Math.max(...[...document.querySelectorAll('main, footer')].map((one) => one.getBoundingClientRect().bottom))
    for (const bar of document.querySelectorAll('main *, nav')) {
      const { top, bottom, height } = bar.getBoundingClientRect()
      const isBar = height > 0 && getComputedStyle(bar).position === 'fixed' && bottom >= innerHeight - 1
      if (isBar && end > top + 1) found.add('the end of the page under ' + bar.className)
    }
    return [...found]
  })()`)

/** Those with a kind of element that no earlier one has. */
async function pagesWithNewKinds(): Promise<string[]> {
  const visitor = await createMember(site.instance, 'azusa')
  const seen = new Set<string>()
  const found: string[] = []
  for (const path of pages) {
    const { text } = await visitor.follow(path)
    const kinds = text
      .match(/<[a-z][^>]*?class="[^"]*"/g)
      ?.map((tag) => tag.replaceAll(/ (?!class)\S+="[^"]*"/g, ''))
    if (kinds?.some((kind) => !seen.has(kind))) found.push(path)
    for (const kind of kinds ?? []) seen.add(kind)
  }
  return found
}

describe.skipIf(!hasChromium)('nothing that floats covers what Tab leads to', () => {
  test('on a phone of 360 px with its text twice as large', async () => {
    const { page, context } = await personAt(site, 'azusa', {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      locale: 'en',
    })
    const found: Record<string, string[]> = {}
    for (const path of await pagesWithNewKinds()) {
      await page.goto(site.baseUrl + path)
      const some = await covered(page)
      if (some.length > 0) found[path] = some
    }
    expect(found).toEqual({})
    await context.close()
  }, 120_000)
})
