import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { releaseBody } from './bodies-in-flight'
import { watchClock } from './clock-watch'
import { invalidParams, serviceUnavailable } from './errors'

/** As many connections as are served at once: Bun tells of none before it has sent a request (promise 12). */
const mostInFlight = 4096

/** Plugin: refuses what no handler should see, and what is more than can be answered at once. */
export function guards(deps: Deps) {
  const noticeSetBack = watchClock(deps)
  let inFlight = 0
  return new Elysia({ name: 'guards' })
    .onTransform({ as: 'global' }, () => {
      inFlight += 1
    })
    .onBeforeHandle({ as: 'global' }, ({ request, path }) => {
      checkHost(request)
      checkPath(path)
      if (request.method === 'OPTIONS') return
      if (inFlight > mostInFlight) throw serviceUnavailable('Too many requests are being answered at once.')
      noticeSetBack()
    })
    .mapResponse({ as: 'global' }, ({ request }) => {
      inFlight -= 1
      releaseBody(request)
    })
}

/** Host must be sent once and be a host. No link is built from it (D2), but a cache in between may use it. */
function checkHost(request: Request): void {
  const host = request.headers.get('host') ?? ''
  if (!/^(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/.test(host)) {
    throw invalidParams('Host must be sent once and name a host, with a port or without.')
  }
}

function checkPath(path: string): void {
  if (!path.includes('%')) return
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    throw invalidParams('A percent-encoding in the path is malformed or not UTF-8.')
  }
  if (decoded.includes('\0')) throw invalidParams('The path must not contain a NUL character.')
}
