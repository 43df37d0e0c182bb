import { clampFutureTimes } from '../db/future-times'
import type { Deps } from '../deps'
import { isoTime } from '../lib/time'
import { releaseBody } from './bodies-in-flight'
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

/**
 * Returns a check for each request: if the clock was set back, it clamps the times in the database. A clock that is
 * far behind what was written before is more likely to be wrong itself: then it changes nothing, and returns false.
 */
function watchClock(deps: Pick<Deps, 'now' | 'steady' | 'write' | 'log' | 'wallClock'>): () => boolean {
  const difference = () => deps.now() - deps.steady()
  let largest = difference()
  let isBehind = false
  return () => {
    const last = deps.wallClock.behind()
    if (last !== undefined && !isBehind) deps.log('clock_behind', { why: clockText(deps.now(), last) })
    isBehind = last !== undefined
    if (isBehind) return false
    check()
    return true
  }
  function check(): void {
    const before = largest
    const current = difference()
    const setBackBy = before - current
    // Corrections of less than a second are normal.
    if (setBackBy > 0 && setBackBy < 1000) return
    largest = current
    if (setBackBy <= 0) return
    deps.log('clock_set_back', { seconds: Math.round(setBackBy / 1000) })
    void clampTimes(deps).then((isDone) => {
      if (!isDone) largest = before
    })
  }
}

/** Times are epoch milliseconds; `last` is that of the last write. */
export const clockText = (now: number, last: number): string =>
  `the clock says ${isoTime(now)}, but the last write was at ${isoTime(last)}`

/** Returns false, and logs why, if the write failed. */
export async function clampTimes({ now, write, log }: Pick<Deps, 'now' | 'write' | 'log'>): Promise<boolean> {
  try {
    await write((tx) => clampFutureTimes(tx, now()))
    return true
  } catch (cause) {
    log('times_not_clamped', { why: String(cause) })
    return false
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
