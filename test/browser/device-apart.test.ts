import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { cookieName } from '../../src/web/cookies'
import { hasChromium, type Site, sharedBrowser } from '../support/chromium'
import { rowsOf } from '../support/counted'
import { fillCatalogue, works } from '../support/flows'
import { createInstance, type Instance } from '../support/instance'
import { longComment, phone } from '../support/late-site'
import { until } from '../support/until'
import { createMember } from '../support/visitor'

/** Instances below paths of one origin, of this version or of one whose assets have other names. */
interface Neighbours {
  readonly origin: string
  readonly instances: readonly Instance[]
  /** Changes what the next answers come from. */
  version: 'this' | 'other'
  readonly server: { stop(close: boolean): Promise<void> }
}
const open: Neighbours[] = []

async function createNeighbours(host: string, ...paths: readonly string[]): Promise<Neighbours> {
  const instances: Instance[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const path = new URL(request.url).pathname
      // The deepest path comes last.
      const at = paths.findLastIndex((one) => path === one || path.startsWith(`${one}/`))
      const instance = instances[at]
      if (instance === undefined) return new Response(null, { status: 503 })
      return neighbours.version === 'this'
        ? await instance.handle(request, '192.0.2.1')
        : await answerOfOther(instance, request)
    },
  })
  const origin = `http://${host}:${server.port}`
  const neighbours: Neighbours = { origin, instances, version: 'this', server }
  for (const path of paths) {
    const instance = await createInstance({ config: { baseUrl: origin + path } })
    await fillCatalogue({ instance } as Site)
    instance.store.handle.run(
      "insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', 1)",
      [works.onAir],
    )
    instances.push(instance)
  }
  open.push(neighbours)
  return neighbours
}

const otherNames = (text: string) =>
  text.replace(
    /-([0-9a-f]{10})\.(css|js)/g,
    (_, hash: string, type: string) => `-${[...hash].reverse().join('')}.${type}`,
  )

async function answerOfOther(instance: Instance, request: Request): Promise<Response> {
  const own = new Request(otherNames(request.url), request)
  own.headers.delete('accept-encoding')
  const answer = await instance.handle(own, '192.0.2.1')
  const { status, headers } = answer
  const isNamed = /html|\/sw\.js/.test(`${headers.get('content-type')}${new URL(request.url).pathname}`)
  return isNamed ? new Response(otherNames(await answer.text()), { status, headers }) : answer
}

let context: BrowserContext
beforeAll(async () => {
  if (hasChromium) await sharedBrowser()
}, 60_000)
afterEach(() => context?.close())
afterAll(async () => {
  for (const { server, instances } of open) {
    await server.stop(true)
    for (const instance of instances) await instance.close()
  }
})

/** Mio at all of them: with the same id at each. */
async function openBrowser(...all: readonly Neighbours[]): Promise<Page> {
  context = await (await sharedBrowser()).newContext({ ...phone, reducedMotion: 'reduce' })
  for (const { instances } of all)
    for (const instance of instances) {
      const { baseUrl } = instance.deps.config
      const name = cookieName('sid', baseUrl)
      const { cookies } = await createMember(instance, 'mio')
      await context.addCookies([{ name, value: cookies.get(name) ?? '', url: new URL('/', baseUrl).href }])
    }
  return await context.newPage()
}

const recorded = ({ instances }: Neighbours) =>
  instances.map(({ store }) => rowsOf(store.handle, 'records').map(({ comment }) => comment))
const button = (page: Page) => page.locator(`#row-${works.onAir} form[data-act=record] button`)
const counted = (page: Page, count: number) =>
  page.locator(`[data-outbox="${count}"]`).waitFor({ state: 'attached' })
const isRecorded = (page: Page) => page.locator('#toast', { hasText: 'Recorded episode 1' }).waitFor()
const isControlled = (page: Page, path = '/') =>
  until(() =>
    page.evaluate<boolean>(
      `new URL(navigator.serviceWorker.controller?.scriptURL ?? 'a:').pathname === '${path}sw.js'`,
    ),
  )

async function openSheet(page: Page): Promise<void> {
  await page.locator(`#row-${works.onAir} a.more`).click()
  await page.locator('dialog [name=comment]').waitFor()
}

describe.skipIf(!hasChromium)('by plain http at home', () => {
  test('presses wait and drafts stay, without a worker (D106)', async () => {
    const home = await createNeighbours('kiroku.test', '')
    const page = await openBrowser(home)
    await page.goto(home.origin)
    expect(
      await page.evaluate<[boolean, boolean]>(`[isSecureContext, 'serviceWorker' in navigator]`),
    ).toEqual([false, false])
    await openSheet(page)
    await page.fill('dialog [name=comment]', longComment)
    await page.goto(`${home.origin}/about`)
    await page.goto(home.origin)
    await openSheet(page)
    expect(await page.inputValue('dialog [name=comment]')).toBe(longComment)
    await context.setOffline(true)
    await page.locator('dialog form[data-act=record] .filled').click()
    await page.locator('[data-outbox="1"][data-offline]').waitFor()
    expect(recorded(home)).toEqual([[]])
    await context.setOffline(false)
    await isRecorded(page)
    expect(recorded(home)).toEqual([[longComment]])
  })
})

describe.skipIf(!hasChromium)('two instances', () => {
  test('at two ports of a host keep presses, texts and pages apart', async () => {
    const [one, two] = [await createNeighbours('127.0.0.1', ''), await createNeighbours('127.0.0.1', '')]
    const page = await openBrowser(one, two)
    await page.goto(one.origin)
    await page.route('**/record', (route) => route.abort())
    await button(page).click()
    await counted(page, 1)
    await page.goto(two.origin)
    await counted(page, 0)
    expect([recorded(one), recorded(two)]).toEqual([[[]], [[]]])
    await page.unrouteAll()
    await page.goto(one.origin)
    await isRecorded(page)
    expect([recorded(one), recorded(two)]).toEqual([[['']], [[]]])
  })

  test('of which one is below a path of the other keep presses, texts and pages apart', async () => {
    const both = await createNeighbours('127.0.0.1', '', '/kiroku')
    const [root, below] = [`${both.origin}/`, `${both.origin}/kiroku/`]
    const page = await openBrowser(both)
    await page.goto(root)
    await isControlled(page)
    await page.reload()
    const names = () => page.evaluate<string[]>('caches.keys()')
    const kept = (name: string) =>
      page.evaluate<string[]>(`(async () => (await (await caches.open('${name}')).keys())
        .map(({ url }) => new URL(url).pathname))()`)
    await until(async () => (await kept('kiroku-me-1')).includes('/record/new'))
    await openSheet(page)
    await page.fill('dialog [name=comment]', longComment)
    await page.route('**/record', (route) => route.abort())
    await page.locator('dialog form[data-act=record] .filled').click()
    await counted(page, 1)
    // The sheet that closes goes back in the history.
    await until(() => page.evaluate<boolean>('history.state?.dialog === undefined'))
    await page.goto(below)
    await isControlled(page, '/kiroku/')
    await page.reload()
    await counted(page, 0)
    await until(async () => (await kept('kiroku-me-1/kiroku')).includes('/kiroku/record/new'))
    expect((await kept('kiroku-me-1')).filter((path) => path.startsWith('/kiroku'))).toEqual([])
    await openSheet(page)
    expect(await page.inputValue('dialog [name=comment]')).toBe('')
    await page.goto(`${below}settings`)
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.waitForURL((url) => !url.pathname.endsWith('/settings'))
    await until(async () => !(await names()).includes('kiroku-me-1/kiroku'))
    expect(await kept('kiroku-me-1')).toContain('/')
    await page.unrouteAll()
    await page.goto(root)
    await isRecorded(page)
    expect(recorded(both)).toEqual([[longComment], []])
  })
})

/** On a busy machine, the driven browser once in a hundred times never ends the reload in which the workers change. */
const again = { retry: 2, timeout: 300_000 }
describe.skipIf(!hasChromium).each([
  ['a new version', 'this', 'other'],
  ['the version before', 'other', 'this'],
] as const)('%s of the server', (_, before, after) => {
  const worksWithOther = async () => {
    const site = await createNeighbours('127.0.0.1', '')
    site.version = before
    const page = await openBrowser(site)
    await page.goto(site.origin)
    await isControlled(page)
    await page.reload()
    const style = () => page.evaluate<string>('document.querySelector("link[rel=stylesheet]").href')
    const isStyled = () => page.evaluate<boolean>('document.styleSheets[0].cssRules.length > 100')
    const old = await style()
    const [worker] = context.serviceWorkers()
    await context.setOffline(true)
    await button(page).click()
    await counted(page, 1)
    site.version = after // The page of the former version is kept, and its style with it.
    await page.goto(site.origin)
    await counted(page, 1)
    expect([await style(), await isStyled()]).toEqual([old, true])
    await context.setOffline(false) // The page of now comes by itself.
    await page.locator('html:not([data-kept])').waitFor({ state: 'attached', timeout: 60_000 })
    await counted(page, 0)
    expect(recorded(site)).toEqual([['']])
    expect([(await style()) === old, await isStyled()]).toEqual([false, true])
    await until(() => context.serviceWorkers().some((one) => one !== worker))
    await page.reload()
    await context.setOffline(true)
    await page.goto(site.origin)
    await page.locator('html[data-kept]').waitFor({ state: 'attached' })
    expect([(await style()) === old, await isStyled()]).toEqual([false, true])
  }
  test('works with the worker and the pages of the other one, and brings its own', worksWithOther, again)
})

describe.skipIf(!hasChromium)('a device whose clock is an hour ahead', () => {
  test('records now what was pressed, and no later change of a status is lost (D108)', async () => {
    const site = await createNeighbours('127.0.0.1', '')
    const { clock, store } = site.instances[0] as Instance
    const page = await openBrowser(site)
    await page.clock.setFixedTime(clock.now + 3_600_000)
    await page.goto(site.origin)
    await context.setOffline(true)
    await button(page).click()
    await counted(page, 1)
    clock.now += 60_000
    await context.setOffline(false)
    await isRecorded(page)
    expect(rowsOf(store.handle, 'records').map(({ watched_at }) => watched_at)).toEqual([clock.now])
    await page.goto(`${site.origin}/works/${works.onAir}`)
    await page.locator('.status-line summary').first().click()
    await page.locator('form[data-act=status] [value=on_hold]:visible').first().click()
    await until(() => rowsOf(store.handle, 'statuses').some(({ kind }) => kind === 'on_hold'))
    expect(rowsOf(store.handle, 'statuses').map(({ changed_at }) => changed_at)).toEqual([clock.now])
  })
})
