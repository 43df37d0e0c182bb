import type { Facts, Log } from '../../log'
import { hasDescriptors } from './descriptors'
import { listen, stop } from './server'

type Answer = Parameters<typeof listen>[1]
type Server = ReturnType<typeof listen>

/** A server that goes on when there are more connections than it has file descriptors. */
export interface Listener {
  /** The port it listens on. */
  readonly port: number | undefined
  /** As `stop` of a server. */
  stop(hurry: () => void): Promise<void>
}

/** How many descriptors are to be left, for files, mail and the log. */
const spare = 16

/**
 * Listens, and looks four times a second whether descriptors are left. Where none are, idle connections are closed; if
 * that is not enough it stops listening until there are some again, and clients are refused at once.
 *
 * Bun 1.4.5 raises the limit to the highest it may have when it starts, and cannot count or refuse connections. Without
 * descriptors it can neither accept a connection that waits nor leave it waiting: it tries again without a pause, all of
 * a processor's time, for as long as the others stay open.
 */
export function openListener(address: { host: string; port: number }, answer: Answer, log: Log): Listener {
  const first = listen(address, answer)
  const bound = { host: address.host, port: first.port ?? address.port }
  const servers = new Set<Server>([first])
  let accepting: Server | undefined = first
  const warn = seldom((facts: Facts) => log('descriptors', facts))

  const look = () => {
    if (accepting === undefined) {
      if (hasDescriptors(spare)) accepting = listenAgain(bound, answer, servers)
      return
    }
    if (hasDescriptors(spare)) return
    const closed = accepting.closeIdleConnections()
    const isEnough = hasDescriptors(spare)
    warn({ why: 'no file descriptors are left', idle_closed: closed, accepting: isEnough })
    if (isEnough) return
    const full = accepting
    accepting = undefined
    // Once the last of its connections is closed.
    void full.stop().then(() => servers.delete(full))
  }
  const timer = setInterval(look, 250)
  timer.unref()

  return {
    port: first.port,
    stop: async (hurry) => {
      clearInterval(timer)
      await Promise.all([...servers].map((server) => stop(server, hurry)))
    },
  }
}

/** Undefined where another program has taken the port meanwhile: it is tried again. */
function listenAgain(bound: { host: string; port: number }, answer: Answer, servers: Set<Server>) {
  try {
    const server = listen(bound, answer)
    servers.add(server)
    return server
  } catch {
    return undefined
  }
}

/** At most once a minute. */
function seldom<T>(tell: (value: T) => void): (value: T) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  return (value) => {
    if (performance.now() - toldAt < 60_000) return
    toldAt = performance.now()
    tell(value)
  }
}
