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

/** The addresses of kept pages, oldest first. */
export async function keptPages(): Promise<readonly string[]> {
  const lists = (await keptCaches()).map(async (name) =>
    (await (await caches.open(name)).keys()).map(({ url }) => url),
  )
  return (await Promise.all(lists)).flat()
}

/** Once per page: the sheets of the first rows, so that comments can be written without a network. */
export function keepSheets(): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('.tracked-works a.more')
  if (me === undefined || links.length === 0 || !navigator.serviceWorker?.controller) return
  const keep = async () => {
    for (const { href } of [...links].slice(0, 8)) {
      if ((await caches.match(href, { ignoreVary: true })) !== undefined) continue
      await fetch(href, { headers: { Accept: 'text/html', 'X-Kiroku-Page': location.pathname } }).catch(
        () => {},
      )
    }
  }
  ;(window.requestIdleCallback ?? setTimeout)(() => void keep())
}
