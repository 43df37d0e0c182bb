import { Failure } from '../../lib/failure'

type Server = ReturnType<typeof Bun.serve<undefined>>

/**
 * Throws a `busy` failure if the port is in use, `config` if it must not be used.
 *
 * Bun 1.4.5 closes a connection without an answer if a pipelined request arrives while a handler awaits. Clients
 * should not pipeline after a write (RFC 9112 §9.3.2).
 */
export function listen(
  { host, port }: { host: string; port: number },
  answer: (request: Request, peer: string) => Promise<Response>,
): Server {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // By default, Bun lets a second process share the port without an error.
      reusePort: false,
      idleTimeout: 30,
      // Far above what any endpoint reads, so that each can state its own limit; Bun reads no more than they do.
      maxRequestBodySize: 1024 * 1024 * 1024,
      fetch: (request, server) => {
        // Bun applies `idleTimeout` even while it answers a request without a body; a write waiting for
        // another process must still get its 503.
        if (request.body === null) server.timeout(request, 45)
        return answer(request, server.requestIP(request)?.address ?? '')
      },
    })
  } catch (cause) {
    throw refused(host, port, cause)
  }
}

/** In milliseconds since stopping began; including the work afterwards at most 25 s (D55). */
export interface StopTimes {
  /** When requests must stop waiting for other processes. */
  readonly hurry: number
  readonly close: number
}

const stopTimes: StopTimes = { hurry: 20_000, close: 23_000 }

/**
 * Stops accepting, lets running requests end, then closes the rest (D55). `hurry` tells requests to stop waiting.
 *
 * Measured on Bun 1.4.5: the promise of `stop()` also waits for connections that never sent a complete request,
 * however long they stay silent. Pending requests are counted instead.
 */
export async function stop(server: Server, hurry = () => {}, times = stopTimes): Promise<void> {
  const begun = performance.now()
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
