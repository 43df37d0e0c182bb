import type { Browser, Page } from 'playwright-core'
import { messagesIn } from '../../src/messages/languages'
import { assets } from '../../src/pages/assets'
import { html, type Markup } from '../../src/pages/html'
import type { PageContent, PageContext } from '../../src/pages/layout'
import { defaultPreferences, type Preferences } from '../../src/pages/preferences'
import { renderPage } from '../../src/pages/render'
import { toast, undoOf } from '../../src/pages/toast'
import { closeContexts, sharedBrowser } from './chromium'
import { axeAnswer } from './findings'

/** A few pages for testing the script: rows with acts, a search, a question. */
export interface ScriptSite {
  readonly browser: Browser
  readonly baseUrl: string
  /** The requests received, such as `POST /record row=2`. */
  readonly requests: string[]
  /** How to respond to the next act. */
  answers: 'well' | 'with an error' | 'elsewhere' | 'never'
  preferences: Partial<Preferences>
  /** Rows by number, and how often each was recorded. */
  readonly rows: Map<number, number>
  /** Always the same page, without cookies. */
  open(path?: string): Promise<Page>
  close(): Promise<void>
}

export async function createScriptSite(): Promise<ScriptSite> {
  const browser = await sharedBrowser()
  // A single page, opened again and again: each would start its own process.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    timezoneId: 'Asia/Tokyo',
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(now)
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => answer(site, request) })
  const site: ScriptSite = {
    browser,
    baseUrl: `http://127.0.0.1:${server.port}`,
    requests: [],
    answers: 'well',
    preferences: {},
    rows: new Map([1, 2, 3].map((row) => [row, 0])),
    open: async (path = '/list') => {
      await context.clearCookies()
      await page.goto(site.baseUrl + path)
      return page
    },
    close: async () => {
      await closeContexts(browser)
      await server.stop(true)
    },
  }
  return site
}

const now = Date.UTC(2026, 4, 14, 12)

const uncompressed = { encoding: undefined, reader: 'network 127.0.0.1' } as const

async function answer(site: ScriptSite, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const axe = axeAnswer(pathname)
  if (axe !== undefined) return axe
  const asset = assets[pathname]
  if (asset !== undefined) return asset(request)
  const sent = request.method === 'POST' ? new URLSearchParams(await request.text()) : searchParams
  // Random.
  sent.delete('form_id')
  if (!pathname.startsWith('/assets/')) site.requests.push(`${request.method} ${pathname} ${sent}`.trim())
  if (request.method === 'POST') return await act(site, Number(sent.get('row')))
  const context = contextFor(site, searchParams.get('said') ?? '')
  return renderPage(context, pageFor(site, pathname, searchParams.get('q') ?? ''), uncompressed)
}

async function act(site: ScriptSite, row: number): Promise<Response> {
  if (site.answers === 'never') return new Response('gone', { status: 502 })
  if (site.answers === 'elsewhere') return Response.redirect(`${site.baseUrl}/sign_in`, 303)
  if (site.answers === 'with an error') {
    const main = html`<h1>Refused</h1>\n<p>It is too late.</p>`
    return renderPage(contextFor(site, ''), { title: 'Refused', main, status: 409 }, uncompressed)
  }
  const times = (site.rows.get(row) ?? 0) + 1
  if (times > 2) site.rows.delete(row)
  else site.rows.set(row, times)
  return Response.redirect(`${site.baseUrl}/list?said=${row}`, 303)
}

function contextFor({ preferences }: ScriptSite, said: string): PageContext {
  const context = {
    basePath: '',
    language: 'en',
    t: messagesIn('en'),
    now,
    hasWorker: false,
    member: { id: 1, username: 'mio', avatar_url: '', isAdmin: false, csrf: 'token', unread: 0 },
    preferences: { ...defaultPreferences('en'), ...preferences },
    zoneCookie: 'zone',
    hasOwnZone: false,
  } as const
  return said === ''
    ? context
    : { ...context, toast: toast(context, `recorded ${said}`, { ...undoOf(Number(said)), returnTo: '/' }) }
}

function pageFor(site: ScriptSite, path: string, query: string): PageContent {
  if (path === '/search') return { title: `Results for ${query}`, main: searchMain(query), place: 'find' }
  if (path !== '/list')
    return {
      title: path,
      ...(path === '/seasons/now' && { place: 'find' }),
      main: html`<h1>${path}</h1><p><input name="free" aria-label="free" /> </p>
      <form method="post" action="/record" data-act="record" data-swap="#row-1">
        <textarea name="text" aria-label="words"></textarea><button name="row" value="1">send</button>
      </form>`,
    }
  const main = html`<h1>List</h1>
    <ul class="rows">${[...site.rows].map(([row, times]) => rowOf(row, times))}</ul>
    <form method="post" action="/delete" data-confirm="Delete everything?"><button class="danger">Delete</button></form>
    <a href="/keys" data-dialog>Keys</a> <a rel="next" href="/list/2">next</a>
    <time datetime="2026-05-14T11:00:00.000Z">11:00 UTC</time>`
  return { title: 'List', main, place: 'track' }
}

const rowOf = (row: number, times: number): Markup => html`<li class="row" id="row-${row}" data-work="${row}">
  <a href="/works/${row}">Work ${row}</a> <b>${times}</b>
  <form method="post" action="/record" data-act="record" data-swap="#row-${row}">
    <button class="tick" name="row" value="${row}" aria-label="record ${row}">r</button>
  </form>
  <form method="post" action="/status" data-act="status" data-swap="#row-${row}">
    <input type="hidden" name="row" value="${row}" /><button name="kind" value="watching">watching</button>
  </form>
</li>`

const searchMain = (query: string): Markup => html`<h1 id="found">Search</h1>
  <form action="/search" data-instant data-swap="#results"><input name="q" value="${query}" aria-label="words" /></form>
  <p id="results">found ${query}</p>`
