import { fetchPage } from '../answer'
import { basePath, me } from '../told'

/** In the names of caches: instances on one host keep apart. The worker uses the same names. */
const suffix = basePath

/** Pages of this instance that the device keeps. None outside secure contexts, which have no caches. */
async function keptCaches(): Promise<readonly string[]> {
  if (!('caches' in window)) return []
  return (await caches.keys()).filter(
    (name) => name.replace(/^kiroku-me-\d+/, '') === suffix && name !== suffix,
  )
}

export async function clearKeptPages(): Promise<void> {
  for (const name of await keptCaches()) await caches.delete(name)
  if (!('caches' in window)) return
  // They tell what somebody watches.
  const shell = await caches.open(`kiroku-shell${basePath}`)
  for (const request of await shell.keys()) if (request.url.includes('/covers/')) await shell.delete(request)
}

/** Of pages, and of the styles, scripts and covers that go with them. */
export async function keptBytes(): Promise<number> {
  let bytes = 0
  for (const name of 'caches' in window ? [...(await keptCaches()), `kiroku-shell${basePath}`] : [])
    for (const response of await (await caches.open(name)).matchAll()) bytes += (await response.blob()).size
  return bytes
}

/** Milliseconds after which the worker does not show a page any more. */
const longest = 14 * 86_400_000

/** Kept pages that can be shown, by address, oldest first. */
export async function keptPages(): Promise<ReadonlyMap<string, Response>> {
  const pages = new Map<string, Response>()
  for (const name of await keptCaches()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const page = await cache.match(request, { ignoreVary: true })
      if (page !== undefined && Number(page.headers.get('X-Kiroku-Kept')) > Date.now() - longest)
        pages.set(request.url, page)
    }
  }
  return pages
}

/**
 * Once per page of Track: the sheets of the first rows, so that comments can be written without a network, and the page of what
 * waits, to which the pill leads.
 */
export function keepSheets(): void {
  if (me === undefined || !document.querySelector('.track') || !navigator.serviceWorker?.controller) return
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.tracked-works a.more')].slice(0, 8)
  const addresses = [...links.map(({ href }) => href), `${location.origin}${basePath}/settings/phone`]
  const keep = async () => {
    const kept = await keptPages()
    for (const address of addresses) {
      if (kept.has(address)) continue
      await fetchPage(address).catch(() => {})
    }
  }
  ;(window.requestIdleCallback ?? setTimeout)(() => void keep())
}
