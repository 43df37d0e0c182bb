import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { personAt } from '../support/flows'
import { desktop } from '../support/late-site'
import { pagePaths, pageSamples } from '../support/page-samples'
import { until } from '../support/until'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

let site: Site
let pages: readonly string[]
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite({ config: { registration: 'open' } })
  const samples = await pageSamples(site.instance)
  site.instance.store.handle.run("update users set is_admin = 1 where username = 'azusa'")
  site.instance.store.handle.run(
    "insert or ignore into statuses (user_id, work_id, kind, changed_at) select 4, id, 'watching', 1 from works where id < 4",
  )
  pages = pagePaths.map((path) => samples[path] ?? path)
}, 60_000)
afterAll(() => site?.close())

/** Every key of a keyboard, after `g` and `s` too, except those that open and close the list. */
const letters = [...'abcdefghijklmnopqrstuvwxyz']
const signs = [...letters, ...letters.map((one) => one.toUpperCase()), ...'123456789[]/', 'Enter']
const keys = [
  ...signs.filter((key) => !['g', 's', 'j', 'k'].includes(key)),
  ...['Alt ArrowUp', 'Alt ArrowDown'],
  ...['g', 's'].flatMap((first) => [...letters, ...'123456789'].map((second) => `${first} ${second}`)),
]

/** Those that the page answers, with no row chosen or any of them. What they press is not pressed. */
const answered = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const answered = new Set()
    const stop = (event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    addEventListener('click', stop, true)
    const press = (keys) => keys.replace('Alt ', '').split(' ').map((key) => {
      const held = { shiftKey: /^[A-Z]$/.test(key), altKey: keys.startsWith('Alt ') }
      const event = new KeyboardEvent('keydown', { key, ...held, bubbles: true, cancelable: true })
      document.body.dispatchEvent(event)
      return event.defaultPrevented
    }).at(-1)
    const tryAll = () => {
      for (const key of ${JSON.stringify(keys)}) {
        const { activeElement } = document
        if (press(key)) answered.add(key)
        if (activeElement !== document.activeElement) activeElement.focus()
      }
    }
    tryAll()
    while (press('j')) {
      for (const key of ['j', 'k']) answered.add(key)
      tryAll()
    }
    press('Escape')
    removeEventListener('click', stop, true)
    document.activeElement.blur()
    return [...answered]
  })()`)

const arrows: Readonly<Record<string, string>> = { '↑': 'ArrowUp', '↓': 'ArrowDown' }

/** `1–4` is four keys. */
const rangeOf = (name: string) =>
  /^\d–\d$/.test(name) ? [...'123456789'].slice(Number(name[0]) - 1, Number(name[2])) : [name]

async function listed(page: Page): Promise<string[]> {
  // What a key tried before has begun may take the focus once more.
  await until(async () => {
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('Shift+Slash')
    const opened = page.locator('dialog .keys-columns').waitFor({ timeout: 3000 })
    return opened.then(
      () => true,
      () => false,
    )
  })
  const lines = await page
    .locator('dialog .keys-columns dl > div')
    .evaluateAll((all) =>
      all.map((one) => [...one.querySelectorAll('kbd')].map((key) => key.textContent ?? '')),
    )
  return lines.flatMap(([first = '', ...more]) =>
    ['g', 's', 'Alt'].includes(first)
      ? more.flatMap(rangeOf).map((second) => `${first} ${arrows[second] ?? second}`)
      : [first, ...more].flatMap(rangeOf),
  )
}

/** Whatever keys may press, without the words. */
const pressable =
  /<[a-z]+|data-(?:keys|act)="[^"]*"|data-(?:work|for-row)|rel="\w+"|name="(?:kind|rating_state)"|value="[a-z_]+"|formaction="[^"]*"|role="search"|class="(?:navigation|row|card|entry)/g
const isPressable = /data-|rel=|kind|rating_state|formaction|search|navigation/

/** One page of each kind: those that have the same to press have the same keys. */
async function kindsOfPages(visitor: Visitor): Promise<string[]> {
  const kinds = new Map<string, string>()
  for (const path of pages) {
    const { text } = await visitor.follow(path)
    const tags = text.match(/<[a-z][^>]*>/g)?.filter((tag) => isPressable.test(tag)) ?? []
    const kind = [...new Set(tags.map((tag) => tag.match(pressable)?.join(' ')))].toSorted().join()
    if (!kinds.has(kind)) kinds.set(kind, path)
  }
  return [...kinds.values()]
}

async function compareOn(page: Page, visitor: Visitor): Promise<void> {
  const [worked, said]: [string[], string[]] = [[], []]
  for (const path of await kindsOfPages(visitor)) {
    await page.goto(site.baseUrl + path)
    worked.push(`${path}: ${[...(await answered(page)), '?', 'Esc'].toSorted().join(', ')}`)
    said.push(`${path}: ${(await listed(page)).toSorted().join(', ')}`)
  }
  expect(said).toEqual(worked)
  await page.context().close()
}

describe.skipIf(!hasChromium)('? lists on every page the keys that do something there, and no others', () => {
  test('for a member', async () => {
    await compareOn((await personAt(site, 'azusa', desktop)).page, await createMember(site.instance, 'azusa'))
  }, 120_000)

  test('for a visitor', async () => {
    await compareOn(await (await site.browser.newContext(desktop)).newPage(), createVisitor(site.instance))
  }, 120_000)

  test('z and Z while there is something to undo', async () => {
    const { page, told, context } = await personAt(site, 'azusa', desktop)
    await page.goto(site.baseUrl)
    await page.keyboard.press('j')
    await page.keyboard.press('r')
    await told(/Recorded/)
    const keys = await listed(page)
    expect(['z', 'Z', 'j', 'r', 's 5', 'g t'].filter((key) => !keys.includes(key))).toEqual([])
    expect(['t', '[', '1'].filter((key) => keys.includes(key))).toEqual([])
    await context.close()
  })

  test('and of the statuses those that can be set', async () => {
    const { page, context } = await personAt(site, 'azusa', desktop)
    await page.goto(`${site.baseUrl}/record/new?episode=2`)
    expect((await listed(page)).filter((key) => key.startsWith('s'))).toEqual(['s 3', 's 4', 's 5'])
    await context.close()
  })
})
