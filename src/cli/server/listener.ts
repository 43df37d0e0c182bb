import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Log } from '../../log'
import type { Facts } from '../../log/levels'
import { listen, stop } from './server'

type AppHandler = Parameters<typeof listen>[1]
type Server = ReturnType<typeof listen>

export interface Listener {
  readonly port: number | undefined
  /** Since the start. */
  requestCount(): number
  pendingRequests(): number
  stop(hurry: () => void): Promise<void>
}

/** File descriptors to reserve for files, mail and the log. */
const reservedDescriptors = 16

/**
 * Checks four times a second that file descriptors are available. If none are, closes idle connections; if that is not
 * enough, stops listening until some are free, so that clients are refused at once.
 *
 * Bun 1.4.5 cannot limit the number of connections. Without descriptors it retries `accept` in a busy loop, using a
 * whole core until other connections close.
 */
export function openListener(
  address: { host: string; port: number },
  handle: AppHandler,
  log: Log,
): Listener {
  let requestCount = 0
  const answer: AppHandler = (request, peer) => {
    requestCount += 1
    return handle(request, peer)
  }
  const first = listen(address, answer)
  const bound = { host: address.host, port: first.port ?? address.port }
  const servers = new Set<Server>([first])
  let accepting: Server | undefined = first
  const warn = atMostOnceAMinute((facts: Facts) => log('descriptors', facts))

  const look = () => {
    if (accepting === undefined) {
      if (hasDescriptors(reservedDescriptors)) accepting = listenAgain(bound, answer, servers)
      return
    }
    if (hasDescriptors(reservedDescriptors)) return
    const closed = accepting.closeIdleConnections()
    const isEnough = hasDescriptors(reservedDescriptors)
    warn({ why: 'no file descriptors are left', idle_closed: closed, accepting: isEnough })
    if (isEnough) return
    const full = accepting
    accepting = undefined
    void full.stop().then(() => servers.delete(full))
  }
  const timer = setInterval(look, 250)
  timer.unref()

  return {
    port: first.port,
    requestCount: () => requestCount,
    pendingRequests: () => [...servers].reduce((sum, { pendingRequests }) => sum + pendingRequests, 0),
    stop: async (hurry) => {
      clearInterval(timer)
      await Promise.all([...servers].map((server) => stop(server, hurry)))
    },
  }
}

/** Whether `count` more files can be opened; tries it, which takes about 50 µs. */
function hasDescriptors(count: number): boolean {
  const opened: number[] = []
  try {
    for (let n = 0; n < count; n++) opened.push(openSync(devNull, 'r'))
    return true
  } catch (cause) {
    if (isExhausted(cause)) return false
    throw cause
  } finally {
    opened.forEach(closeSync)
  }
}

/** The limit of this process (EMFILE) or of the machine (ENFILE). */
const isExhausted = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && /^E[MN]FILE$/.test(String(cause.code))

/** Undefined if another program has taken the port meanwhile; the next check retries. */
function listenAgain(bound: { host: string; port: number }, answer: AppHandler, servers: Set<Server>) {
  try {
    const server = listen(bound, answer)
    servers.add(server)
    return server
  } catch {
    return undefined
  }
}

function atMostOnceAMinute<T>(tell: (value: T) => void): (value: T) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  return (value) => {
    if (performance.now() - toldAt < 60_000) return
    toldAt = performance.now()
    tell(value)
  }
}
