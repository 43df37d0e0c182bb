import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { releaseBody } from './bodies-in-flight'
import { watchClock } from './clock-watch'
import { invalidParams, serviceUnavailable } from './errors'

/** Requests in flight (promise 12): Bun does not report a connection before its first request. */
const maxInFlight = 4096

export function guards(deps: Deps) {
  const checkClock = watchClock(deps)
  let inFlight = 0
  return new Elysia({ name: 'guards' })
    .onTransform({ as: 'global' }, () => {
      inFlight += 1
    })
    .onBeforeHandle({ as: 'global' }, ({ request, path }) => {
      checkHost(request)
      checkPath(path)
      if (request.method === 'OPTIONS') return
      if (inFlight > maxInFlight) throw serviceUnavailable('Too many requests are being processed at once.')
      // Health checks say so themselves.
      if (!checkClock() && !isHealthCheck(path))
        throw serviceUnavailable('The clock of this server is wrong.', 60)
    })
    .mapResponse({ as: 'global' }, ({ request }) => {
      inFlight -= 1
      releaseBody(request)
    })
}

const isHealthCheck = (path: string) => path === '/livez' || path === '/readyz'

/** Host must be sent once and be valid: we build no link from it (D2), but caches on the way may use it. */
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
