/** The service worker (`/sw.js`): pages of the person's own stay readable without a network (D109). */
declare const self: ServiceWorkerGlobalScope & {
  /** Put in front by `src/viewing/phone/worker.ts`: what every page needs. */
  readonly shell: readonly string[]
}

const base = new URL('.', self.location.href).pathname.slice(0, -1)
const shellName = `kiroku-shell${base}`
/** With the id of its person before the path: instances on one host keep apart. */
const ofPerson = (name: string): string | undefined => {
  const [, id, path] = /^kiroku-me-(\d+)(.*)$/.exec(name) ?? []
  return path === base ? id : undefined
}

const mostPages = 40
const mostAssets = 60
/** Milliseconds after which a kept page is shown while there is no answer, and after which it is too old. */
const patience = 4000
const longest = 14 * 86_400_000

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(caches.open(shellName).then((cache) => cache.addAll([...new Set(self.shell)])))
})

self.addEventListener('activate', (event) => {
  const preload = self.registration.navigationPreload?.enable()
  event.waitUntil(Promise.all([preload, self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || !pathname.startsWith(`${base}/`)) return
  const path = pathname.slice(base.length)
  if (/^\/(assets|covers)\//.test(path)) event.respondWith(asset(request))
  else if (isPage(request) && !/^\/(v1|oauth|graphql|feeds|docs|sw\.js|outbox)(\/|$)/.test(path))
    event.respondWith(page(event))
})

/** As the server writes it (`src/delivery/web-push.ts`). */
interface PushedNotification extends NotificationOptions {
  readonly title: string
  readonly navigate?: string
}

self.addEventListener('push', (event) => {
  if (event.data === null) return
  const { title, navigate, ...options }: PushedNotification = event.data.json().notification
  event.waitUntil(self.registration.showNotification(title, { ...options, data: navigate }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(self.clients.openWindow(event.notification.data ?? `${base}/notifications`))
})

const isPage = ({ mode, headers }: Request) => mode === 'navigate' || headers.get('accept') === 'text/html'

/** Their addresses change with their content. */
async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(shellName)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const response = await fetch(request)
  if (response.ok && response.type === 'basic') await keep(cache, request.url, response.clone(), mostAssets)
  return response
}

/** With the newest ones, but for what every page needs: that was put there when the worker was installed, and is the oldest. */
async function keep(cache: Cache, url: string, response: Response, most: number): Promise<void> {
  await cache.put(url, response)
  const all = (await cache.keys()).filter((one) => !self.shell.includes(new URL(one.url).pathname))
  for (const old of all.slice(0, Math.max(0, all.length - most))) await cache.delete(old)
}

/** The network first; then the kept copy; then a page that says so. */
async function page(event: FetchEvent): Promise<Response> {
  const url = addressOf(event.request.url)
  // A script that shows what was done waits for the page of now.
  const kept = event.request.cache === 'no-store' ? undefined : await keptPage(url)
  const network = answer(event, url)
  const late = new Promise<undefined>((done) => setTimeout(done, patience))
  const response = await (kept === undefined ? network : Promise.race([network, late])).catch(() => undefined)
  if (response !== undefined && (kept === undefined || isOurs(response))) return response
  if (kept !== undefined) return kept
  // A script does without.
  const offline = event.request.mode === 'navigate' ? await caches.match(`${base}/offline`) : undefined
  return offline ?? Response.error()
}

/** The row that a script wants to see again is no other page. */
function addressOf(address: string): string {
  const url = new URL(address)
  url.hash = ''
  url.searchParams.delete('keep')
  return url.href
}

/** A redirect, whose target is asked for next, or a page that says whose it is: not that of a captive portal or a proxy. */
const isOurs = (response: Response) => response.type === 'opaqueredirect' || userOf(response) !== null

/** Null for a page of nobody, and for one of another instance, below a path of this one. */
const userOf = ({ headers }: Response) =>
  (headers.get('X-Kiroku-Base') ?? '') === base ? headers.get('X-Kiroku-User') : null

/** Of the latest request that was answered: an answer to an earlier one may be of a person who has signed out since. */
let latest = { asked: 0, user: '' }
let asked = 0

async function answer(event: FetchEvent, url: string): Promise<Response> {
  asked += 1
  const own = asked
  const response: Response = (await event.preloadResponse) ?? (await fetch(event.request))
  const user = userOf(response)
  if (user === null || (own < latest.asked && user !== latest.user)) return response
  if (own > latest.asked) latest = { asked: own, user }
  for (const name of await caches.keys()) {
    const id = ofPerson(name)
    if (id !== undefined && id !== user) await forget(name)
  }
  if (response.ok && response.headers.has('X-Kiroku-Keep') && !response.redirected)
    event.waitUntil(keepPage(user, url, response.clone()))
  return response
}

/** With the covers, which tell what somebody watches. */
async function forget(name: string): Promise<void> {
  await caches.delete(name)
  const cache = await caches.open(shellName)
  for (const request of await cache.keys())
    if (request.url.includes(`${base}/covers/`)) await cache.delete(request)
}

async function keepPage(user: string, url: string, response: Response): Promise<void> {
  const name = `kiroku-me-${user}${base}`
  const text = (await response.text()).replace('<html ', `<html data-kept="${Date.now()}" `)
  const headers = new Headers(response.headers)
  headers.delete('Content-Encoding')
  headers.set('X-Kiroku-Kept', String(Date.now()))
  await keep(await caches.open(name), url, new Response(text, { headers }), mostPages)
  if (latest.user !== user) await forget(name)
}

async function keptPage(url: string): Promise<Response | undefined> {
  for (const name of await caches.keys()) {
    if (ofPerson(name) === undefined) continue
    const found = await (await caches.open(name)).match(url, { ignoreVary: true })
    if (found !== undefined && Number(found.headers.get('X-Kiroku-Kept')) > Date.now() - longest) return found
  }
  return undefined
}

export {}
