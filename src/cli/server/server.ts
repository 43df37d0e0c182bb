import { Failure } from '../../lib/failure'

type Server = ReturnType<typeof Bun.serve<undefined>>

/**
 * Answers requests at a host and port. Throws a `busy` failure for a port in use, `config` for one it cannot have.
 *
 * Bun 1.4.5 closes a connection without an answer when another request arrives on it before the first is answered, as
 * any handler that awaits shows. Nobody should pipeline after a write (RFC 9112 §9.3.2), which may be done nevertheless.
 */
export function listen(
  { host, port }: { host: string; port: number },
  answer: (request: Request, peer: string) => Promise<Response>,
): Server {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // Bun's default lets a second process share the port without an error.
      reusePort: false,
      idleTimeout: 30,
      // Far above what any endpoint reads: those answer for themselves what is too large for them.
      maxRequestBodySize: 8 * 1024 * 1024,
      fetch: (request, server) => {
        // Bun closes a connection that was silent for `idleTimeout` even while its request is answered, unless it had a
        // body. A write that waits for another process is to get its 503.
        if (request.body === null) server.timeout(request, 45)
        return answer(request, server.requestIP(request)?.address ?? '')
      },
    })
  } catch (cause) {
    throw refused(host, port, cause)
  }
}

/** How stopping is spread over time, in milliseconds since it began; with what comes after it takes 25 s at most (D55). */
export interface StopTimes {
  /** When requests are told to wait for nobody else any more. */
  readonly hurry: number
  /** When what is left is closed. */
  readonly close: number
}

const stopTimes: StopTimes = { hurry: 20_000, close: 23_000 }

/**
 * Stops accepting, lets running requests end, then closes what is left (D55). `hurry` is called when they should wait for
 * nothing more, in time to be answered.
 *
 * As measured on Bun 1.4.5, `stop()` refuses new connections and closes idle keep-alive ones at once; a connection
 * with a request on it, also one whose body is still arriving or whose response is still being read, is closed after
 * its response. Its promise, however, also waits for connections that never sent a whole request, however long those
 * stay silent; so the requests are counted instead.
 */
export async function stop(server: Server, hurry = () => {}, times = stopTimes): Promise<void> {
  const begun = performance.now()
  // Not awaited: see above.
  void server.stop()
  const timer = setTimeout(hurry, times.hurry)
  while (server.pendingRequests > 0 && performance.now() - begun < times.close) await Bun.sleep(10)
  clearTimeout(timer)
  hurry()
  await server.stop(true)
}

function refused(host: string, port: number, cause: unknown): Failure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code === 'EADDRINUSE')
    return new Failure('busy', `port ${port} of ${host} is in use by another program`)
  return new Failure(
    'config',
    `cannot listen on port ${port} of ${host}: ${cause instanceof Error ? cause.message : cause}`,
  )
}
