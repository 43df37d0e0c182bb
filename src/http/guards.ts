import type { Deps } from '../deps'
import { releaseBody } from './bodies-in-flight'
import { watchClock } from './clock-watch'
import { invalidParams, serviceUnavailable } from './errors'

/** Requests in flight (promise 12): Bun does not report a connection before its first request. */
const maxInFlight = 4096

export interface Guards {
  /** A request has come; `end` it once it is answered. */
  begin(): void
  /** Throws invalid_params or service_unavailable. */
  check(request: Request, path: string): void
  end(request: Request): void
  /** Whether `check` would let a request pass whose path is in order. */
  mayPass(request: Request): boolean
}

export function createGuards(deps: Deps): Guards {
  const checkClock = watchClock(deps)
  let inFlight = 0
  return {
    begin: () => {
      inFlight += 1
    },
    check: (request, path) => {
      checkHost(request)
      checkPath(path)
      if (request.method === 'OPTIONS') return
      if (inFlight > maxInFlight) throw serviceUnavailable('Too many requests are being processed at once.')
      // Health checks say so themselves.
      if (!checkClock() && !isHealthCheck(path))
        throw serviceUnavailable('The clock of this server is wrong.', 60)
    },
    mayPass: (request) => hasHost(request) && inFlight <= maxInFlight && checkClock(),
    end: (request) => {
      inFlight -= 1
      releaseBody(request)
    },
  }
}

const isHealthCheck = (path: string) => path === '/livez' || path === '/readyz'

/** Host must be sent once and be valid: we build no link from it (D2), but caches on the way may use it. */
function checkHost(request: Request): void {
  if (!hasHost(request))
    throw invalidParams('Host must be sent once and name a host, with a port or without.')
}

const hasHost = ({ headers }: Request) =>
  /^(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/.test(headers.get('host') ?? '')

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
