import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { createRandom } from '../../src/demo/random'
import { cookieName } from '../../src/web/cookies'
import { closeContexts, hasChromium, sharedBrowser } from '../support/chromium'
import type { Instance } from '../support/instance'
import { phone } from '../support/late-site'
import { createRelayedServer, type RelayedServer } from '../support/relayed-server'
import { fill } from '../support/seed'
import { until } from '../support/until'
import { createMember } from '../support/visitor'

/** By hand, longer: see docs/contributing.md. */
const presses = Number(process.env.KIROKU_RELAY_PRESSES ?? 25)
const seed = Number(process.env.KIROKU_RELAY_SEED ?? 1)
/** The path of an executable of another version, which takes turns with the one under test. */
const second = process.env.KIROKU_RELAY_SECOND

const works = [300, 301]
const episodes = 400
const mostSessions = 99

let server: RelayedServer
/** Of sessions that were started in advance, by their ids. */
const cookies = new Map<number, string>()

beforeAll(async () => {
  if (hasChromium) server = await createRelayedServer(prepare)
}, 60_000)
afterAll(async () => {
  if (hasChromium) await closeContexts(await sharedBrowser())
  await server?.[Symbol.asyncDispose]()
})

async function prepare(instance: Instance): Promise<void> {
  await fill(instance.store, {
    works: works.map((id) => ({ id, title: `作品${id}`, media: 'tv' as const })),
    episodes: works.flatMap((work_id) =>
      Array.from({ length: episodes }, (_, at) => ({
        id: work_id * 1000 + at + 1,
        work_id,
        number: String(at + 1),
        number_text: `第${at + 1}話`,
        sort_number: at + 1,
      })),
    ),
  })
  const { handle } = instance.store
  for (const id of works)
    handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)", [id])
  const name = cookieName('sid', instance.deps.config.baseUrl)
  for (let n = 0; n < mostSessions; n += 1) {
    const member = await createMember(instance, 'mio')
    const [newest] = handle.query<{ id: number }, []>('select max(id) as id from sessions').all()
    cookies.set(newest?.id ?? 0, member.cookies.get(name) ?? '')
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

const waiting = (page: Page) =>
  page.evaluate<Written[]>(`new Promise((done) => {
    const opening = indexedDB.open('kiroku', 1)
    opening.onsuccess = () => {
      const all = opening.result.transaction('outbox').objectStore('outbox').getAll()
      all.onsuccess = () => done(all.result)
    }
  })`)

interface Recorded {
  readonly episode_id: number
  readonly watched_at: number
}

const recorded = () => server.query<Recorded>('select episode_id, watched_at from records order by id')

/** Somebody with two tabs, whatever happens to network, tabs, session and server. */
class Day {
  readonly random = createRandom(seed)
  readonly counts = {
    cuts: 0,
    closings: 0,
    'ended sessions': 0,
    kills: 0,
    'kills of a done press': 0,
    updates: 0,
  }
  readonly written: Written[] = []
  readonly pages: Page[] = []
  /** The texts of `/sw.js`, which name the assets of their version. */
  readonly workers = new Set<string>()
  isSecond = false
  inVain = 0
  /** Of twenty seeds, each begins with another byte: together they cut at each. */
  cut = seed

  constructor(readonly context: BrowserContext) {}

  async open(at: number): Promise<void> {
    const page = await this.context.newPage()
    await this.pages[at]?.close()
    this.pages[at] = page
    await page.goto(server.relay.url, { timeout: 8000 }).catch(() => {})
  }

  /** True if it was written down; the second half of a double tap, and a press of a busy form, are not. */
  async press(): Promise<boolean> {
    const page = this.pages[this.random.below(2)]
    const row = `#row-${this.random.pick([300, 301])}`
    // Without its script a page sends its forms at once, which nobody writes down.
    const button = page?.locator(`:has([data-outbox]) ${row} form[data-act=record] button:not([value=""])`)
    if (button === undefined || (await button.count()) === 0) return false
    const before = this.written.length
    await button.click({ timeout: 2000 }).catch(() => {})
    const end = Date.now() + 700
    await until(() => this.written.length > before || Date.now() > end)
    return this.written.length > before
  }

  /** Signed out in both tabs, nothing could be pressed for long. */
  async pressOrReturn(): Promise<void> {
    this.inVain = (await this.press()) ? 0 : this.inVain + 1
    if (this.inVain < 5) return
    this.inVain = 0
    await this.signIn()
    await this.open(this.random.below(2))
  }

  fail(): void {
    const mode = this.random.pick(['open', 'down', 'slow', 'cut'] as const)
    server.relay.set(mode === 'cut' ? { cut: this.takeCut() } : mode)
  }

  takeCut(): number {
    const { cut } = this
    this.cut = (cut + 20) % 700
    this.counts.cuts += 1
    return cut
  }

  /** Between commit and answer: all that waited is sent, so that a press is done, of whose answer only a part comes. */
  async kill(): Promise<void> {
    server.relay.set('open')
    for (const page of this.pages) await page.evaluate("dispatchEvent(new Event('online'))").catch(() => {})
    const isEmpty = async () => this.pages[0] !== undefined && (await waiting(this.pages[0])).length === 0
    const latest = Date.now() + 3000
    await until(async () => (await isEmpty().catch(() => true)) || Date.now() > latest)
    const before = recorded().length
    server.relay.set({ cut: this.takeCut(), only: 'POST' })
    const isPressed = await this.press()
    const end = Date.now() + 1500
    await until(() => recorded().length > before || !isPressed || Date.now() > end)
    await server.process.end('SIGKILL')
    this.counts.kills += 1
    if (recorded().length > before) this.counts['kills of a done press'] += 1
    await server.start(this.isSecond ? second : undefined)
  }

  async update(): Promise<void> {
    await server.process.end('SIGTERM')
    this.isSecond = !this.isSecond
    await server.start(this.isSecond ? second : undefined)
    this.counts.updates += 1
    this.workers.add(await (await fetch(`${server.process.url}/sw.js`)).text())
  }

  endSession(): void {
    server.query('delete from sessions where id in (select id from sessions order by id limit 1)')
    this.counts['ended sessions'] += 1
  }

  /** With the oldest session, which ends next. */
  async signIn(): Promise<void> {
    const [oldest] = server.query<{ id: number }>('select min(id) as id from sessions')
    const value = cookies.get(oldest?.id ?? 0) ?? ''
    await this.context.addCookies([
      { name: cookieName('sid', server.relay.url), value, url: server.relay.url },
    ])
  }

  async goOn(): Promise<void> {
    const chance = this.random.between(0, 1)
    if (chance < 0.6) await this.pressOrReturn()
    else if (chance < 0.8) this.fail()
    else if (chance < 0.88) {
      this.counts.closings += 1
      await this.open(this.random.below(2))
    } else if (chance < 0.91) this.endSession()
    else if (chance < 0.95) await this.signIn()
    else if (chance < 0.98) await this.kill()
    else await this.update()
  }
}

/** The same episode from two tabs is one press: the later one finds it recorded. */
function expected(written: readonly Written[]): Recorded[] {
  const first = new Map<string, number>()
  for (const { fields, done_at } of written) {
    const episode = new Map(fields).get('episode_id') ?? ''
    if (!first.has(episode)) first.set(episode, Date.parse(done_at))
  }
  return [...first].map(([episode, watched_at]) => ({ episode_id: Number(episode), watched_at }))
}

test.skipIf(!hasChromium)(
  'whatever network, tabs, sessions and server do, records equal the presses: once each, in order, at their times (D106, D107, D108)',
  async () => {
    const context = await (await sharedBrowser()).newContext(phone)
    const day = new Day(context)
    await context.exposeFunction('written', (text: string) => day.written.push(JSON.parse(text)))
    await context.addInitScript(tellEntries)
    await day.signIn()
    await day.open(0)
    await day.open(1)
    await until(
      async () =>
        (await day.pages[0]?.evaluate<boolean>('navigator.serviceWorker.controller !== null')) ?? true,
    )
    for (let turns = 0; day.written.length < presses && turns < presses * 12; turns += 1) await day.goOn()
    await day.kill()
    day.endSession()
    await day.press()
    await day.update()
    await day.update()
    await day.signIn()
    await day.open(0)
    await until(async () => day.pages[0] !== undefined && (await waiting(day.pages[0])).length === 0, 200)
    expect(day.written.length).toBeGreaterThanOrEqual(presses)
    expect(recorded()).toEqual(expected(day.written))
    expect(day.workers.size).toBe(second === undefined ? 1 : 2)
    console.log(`seed ${seed}: ${day.written.length} presses, ${recorded().length} records`, day.counts)
  },
  900_000,
)
