import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { cookieName } from '../../src/web/cookies'
import { createSite, hasChromium, type Site } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { createRelay, type Relay, type RelayMode } from '../support/relay'
import { fill } from '../support/seed'
import { until } from '../support/until'
import { createMember } from '../support/visitor'

/** `KIROKU_RELAY_PRESSES=200 KIROKU_RELAY_SEED=7` for a longer run by hand. */
const presses = Number(process.env.KIROKU_RELAY_PRESSES ?? 25)
const seed = Number(process.env.KIROKU_RELAY_SEED ?? 1)

let site: Site
let relay: Relay
beforeAll(async () => {
  if (!hasChromium) return
  site = await createSite()
  // Later than every press: the times of the device count.
  site.instance.clock.now = Date.now() + 3_600_000
  relay = await createRelay(Number(new URL(site.baseUrl).port))
  const episodes = [300, 301].flatMap((work_id) =>
    Array.from({ length: 400 }, (_, at) => ({
      id: work_id * 1000 + at + 1,
      work_id,
      number: String(at + 1),
      number_text: `第${at + 1}話`,
      sort_number: at + 1,
    })),
  )
  const works = [300, 301].map((id) => ({ id, title: `作品${id}`, media: 'tv' as const }))
  await fill(site.instance.store, { works, episodes })
  for (const { id } of works)
    site.instance.store.handle.run(
      "insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)",
      [id],
    )
}, 60_000)
afterAll(async () => {
  await relay?.close()
  await site?.close()
})

/** Numbers from 0 up to 1, always the same ones (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Tells what the page writes down, as soon as it is committed. */
const tellEntries = `{
  const add = IDBObjectStore.prototype.add
  IDBObjectStore.prototype.add = function (entry) {
    const request = add.call(this, entry)
    this.transaction.addEventListener('complete', () => written(JSON.stringify(entry)))
    return request
  }
}`

interface Written {
  readonly path: string
  readonly fields: readonly (readonly [string, string])[]
  readonly done_at: string
}

async function signIn(context: BrowserContext): Promise<void> {
  const { cookies } = await createMember(site.instance, 'mio')
  const name = cookieName('sid', site.baseUrl)
  await context.addCookies([{ name, value: cookies.get(name) ?? '', url: relay.url }])
}

test.skipIf(!hasChromium)(
  'whatever the network does, records equal the presses: once each, in order, at their times (D106, D107, D108)',
  async () => {
    const random = randomFrom(seed)
    const context = await site.browser.newContext({ locale: 'en', viewport: { width: 390, height: 780 } })
    const written: Written[] = []
    await context.exposeFunction('written', (text: string) => written.push(JSON.parse(text)))
    await context.addInitScript(tellEntries)
    await signIn(context)
    const pages: Page[] = [await context.newPage(), await context.newPage()]
    const open = async (page: Page) => {
      await page.goto(relay.url, { timeout: 8000 }).catch(() => {})
    }
    for (const page of pages) await open(page)
    await until(
      async () => (await pages[0]?.evaluate<boolean>('navigator.serviceWorker.controller !== null')) ?? true,
    )
    const press = async (page: Page) => {
      const row = `#row-${random() < 0.5 ? 300 : 301}`
      const button = page.locator(`${row} form[data-act=record] button:not([value=""])`)
      if ((await button.count()) === 0) return
      const before = written.length
      await button.click({ timeout: 2000 }).catch(() => {})
      // The second half of a double tap, and a press of a busy form, are not written down.
      const end = Date.now() + 700
      await until(() => written.length > before || Date.now() > end)
    }
    const failures: (() => RelayMode)[] = [
      () => 'open',
      () => 'down',
      () => 'slow',
      () => ({ cut: Math.floor(random() * 600) }),
    ]
    for (let turns = 0; written.length < presses && turns < presses * 12; turns += 1) {
      const at = Math.floor(random() * 2)
      const page = pages[at]
      if (page === undefined) throw new Error('no page')
      const chance = random()
      if (chance < 0.62) await press(page)
      else if (chance < 0.82) relay.set(failures[Math.floor(random() * failures.length)]?.() ?? 'open')
      else if (chance < 0.92) {
        await page.close()
        const fresh = await context.newPage()
        pages[at] = fresh
        await open(fresh)
      } else if (chance < 0.96) site.instance.store.handle.run('delete from sessions')
      else await signIn(context)
    }
    relay.set('open')
    await signIn(context)
    const last = pages[0]
    await last?.goto(relay.url)
    const store = site.instance.store.handle
    const waiting = `new Promise((done) => {
      const opening = indexedDB.open('kiroku', 1)
      opening.onsuccess = () => {
        const all = opening.result.transaction('outbox').objectStore('outbox').getAll()
        all.onsuccess = () => done(all.result)
      }
    })`
    await until(async () => ((await last?.evaluate<Written[]>(waiting)) ?? []).length === 0, 200)
    const recorded = rowsOf(store, 'records').map((row) => [String(row.episode_id), row.watched_at])
    // The same episode from two tabs is one press: the later one finds it recorded.
    const pressed = new Map<string, number>()
    for (const { fields, done_at } of written) {
      const episode = new Map(fields).get('episode_id') ?? ''
      const at = Math.min(Date.parse(done_at), site.instance.clock.now)
      if (!pressed.has(episode)) pressed.set(episode, at)
    }
    expect(written.length).toBeGreaterThanOrEqual(presses)
    expect(recorded).toEqual([...pressed])
    console.log(`${written.length} presses, ${recorded.length} records, seed ${seed}`)
    await context.close()
  },
  600_000,
)
