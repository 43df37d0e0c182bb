import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { axeAnswer } from './findings'
import { createInstance, type Instance, type Making } from './instance'

// The one without a window takes half the CPU time per page.
const paths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const executablePath = paths.find(existsSync) ?? ''

/** Whether there is a browser to test with; in CI there must be one. */
export const hasChromium = executablePath !== ''
if (!hasChromium) {
  if (process.env.CI) throw new Error(`the browser tests need ${paths.join(' or ')}`)
  console.log(`browser tests skipped: there is no ${paths.join(' or ')}`)
}

/** An application that a real browser can reach. */
export interface Site {
  readonly instance: Instance
  readonly baseUrl: string
  readonly browser: Browser
  /** The requests it received and the targets of its redirects, in order. */
  readonly addresses: readonly string[]
  close(): Promise<void>
}

/** Serves an instance on a free port of `host` and starts a browser. Names of other hosts resolve to this machine. */
export async function createSite({
  host = '127.0.0.1',
  ...making
}: Making & { host?: string } = {}): Promise<Site> {
  let instance: Instance | undefined
  const addresses: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      if (instance === undefined) return new Response(null, { status: 503 })
      const axe = axeAnswer(request.url)
      if (axe !== undefined) return axe
      const response = await instance.handle(request, '192.0.2.1')
      addresses.push(request.url, response.headers.get('location') ?? '')
      return response
    },
  })
  const baseUrl = `http://${host}:${server.port}`
  instance = await createInstance({ ...making, config: { ...making.config, baseUrl } })
  const browser = await sharedBrowser()
  const close = async () => {
    await closeContexts(browser)
    await server.stop(true)
    await instance?.close()
  }
  return { instance, baseUrl, browser, addresses, close }
}

const args = [
  '--no-sandbox',
  '--disable-gpu',
  // Drawing in a separate process takes a third more.
  '--disable-gpu-compositing',
  '--in-process-gpu',
  // Compiling for long runs costs an eighth on pages that are looked at once.
  '--js-flags=--no-opt --no-maglev',
  '--disable-background-networking',
  '--disable-component-update',
  // One for all open sites and contexts: starting one takes as long as ten pages.
  '--renderer-process-limit=1',
  '--host-resolver-rules=MAP *.test 127.0.0.1',
]

/** Starts a browser that resolves names in `.test` to this machine. */
export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args })
  const { newContext } = browser
  browser.newContext = async (options) => {
    const context = await newContext.call(browser, options)
    // Playwright's 30 seconds are too few where nine processes are busy; the runner's limit ends what hangs.
    context.setDefaultTimeout(120_000)
    return context
  }
  return browser
}

let shared: Promise<Browser> | undefined

/** One for all files of a process, which run one after another: starting it takes a second. It ends with the process. */
export const sharedBrowser = (): Promise<Browser> => {
  shared ??= launch()
  return shared
}

export async function closeContexts(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

/** Opens a page in a separate browser that nobody controls. */
export function openPage(url: string): AsyncDisposable {
  const profile = mkdtempSync(join(tmpdir(), 'kiroku-browser-'))
  const browser = Bun.spawn(
    [executablePath, ...args, '--headless', '--no-first-run', `--user-data-dir=${profile}`, url],
    { stdout: 'ignore', stderr: 'ignore', detached: true },
  )
  return {
    [Symbol.asyncDispose]: async () => {
      // The whole process group: child processes that outlive the browser would write to the folder during its removal.
      process.kill(-browser.pid, 'SIGKILL')
      await browser.exited
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Makes a page render only some operations of the documentation: Swagger UI takes seconds for all of them. */
export const drawOnly = (page: Page, keeps: (operation: { method: string; path: string }) => boolean) =>
  page.route('**/openapi.json', async (route) => {
    const response = await route.fetch()
    const document = await response.json()
    const kept = Object.entries<object>(document.paths).map(([path, operations]) => {
      const some = Object.entries(operations).filter(([method]) => keeps({ method, path }))
      return [path, Object.fromEntries(some)]
    })
    await route.fulfill({ response, json: { ...document, paths: Object.fromEntries(kept) } })
  })

/**
 * How to look at pages: on a light phone in English, on a dark desktop in Japanese. Animations take a third of the time;
 * keys.test.ts and shell.test.ts include them.
 */
export const looks: readonly BrowserContextOptions[] = [
  { reducedMotion: 'reduce', colorScheme: 'light', locale: 'en', viewport: { width: 360, height: 780 } },
  { reducedMotion: 'reduce', colorScheme: 'dark', locale: 'ja', viewport: { width: 1280, height: 800 } },
]

/** The looks with script, and a phone without: there, forms work like on a desktop. */
export const ways = [
  ...looks.map((look) => ({ look, javaScriptEnabled: true })),
  { look: looks[0], javaScriptEnabled: false },
].map(({ look, javaScriptEnabled }) => ({
  ...look,
  javaScriptEnabled,
  way: `${look?.viewport?.width} px, ${look?.locale}, ${look?.colorScheme}, ${javaScriptEnabled ? 'with' : 'without'} script`,
}))
