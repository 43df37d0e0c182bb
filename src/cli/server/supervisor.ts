import type { Write } from '../../db/write'
import type { Log } from '../../log'
import type { Environment } from '../../options/environment'

/** Reports to a service manager such as systemd; does nothing if there is none. */
export interface Supervisor {
  /** The server is listening. From now on the watchdog is answered, if the manager has one. */
  ready(text: string, write: Write): void
  stopping(): void
}

export async function openSupervisor(env: Environment, log: Log): Promise<Supervisor> {
  const notify = await openNotify(env).catch((cause: unknown) => {
    log('notify_failed', { why: String(cause) })
    return undefined
  })
  if (notify === undefined) return { ready: () => {}, stopping: () => {} }
  return {
    ready: (text, write) => {
      if (!notify('READY=1', `STATUS=${text}`))
        log('notify_failed', { why: 'the socket in NOTIFY_SOCKET accepts no messages' })
      const interval = watchdogMs(env, process.pid)
      if (interval !== undefined) setInterval(watchdog({ notify, write, text }), interval / 2).unref()
    },
    stopping: () => notify('STOPPING=1', 'STATUS=finishing what runs'),
  }
}

/** Sends assignments such as `READY=1` to the service manager; false if they did not arrive. Never blocks. */
type Notify = (...assignments: readonly string[]) => boolean

/**
 * The protocol of sd_notify(3): datagrams to the socket named by NOTIFY_SOCKET. Undefined if that is not set or not a
 * local socket. Throws if libc cannot be called.
 *
 * Calls libc through FFI, since Bun 1.4.5 only has datagram sockets for UDP, and starting `systemd-notify` for each
 * ping would need NotifyAccess=all. musl's loader accepts the name `libc.so.6` for its own.
 */
export async function openNotify({ NOTIFY_SOCKET: path = '' }: Environment): Promise<Notify | undefined> {
  if (!/^[/@]./.test(path)) return undefined
  const { dlopen, ptr } = await import('bun:ffi')
  const { symbols } = dlopen('libc.so.6', {
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    sendto: { args: ['i32', 'ptr', 'usize', 'i32', 'ptr', 'u32'], returns: 'i64' },
  })
  const socket = symbols.socket(unixDomain, datagram, 0)
  const address = addressOf(path)
  return (...assignments) => {
    const message = new TextEncoder().encode(assignments.join('\n'))
    const length = message.length
    return (
      Number(symbols.sendto(socket, ptr(message), length, sendFlags, ptr(address), address.length)) === length
    )
  }
}

/** A `sockaddr_un`: the family in native byte order, then the path; an abstract name begins with NUL. */
function addressOf(path: string): Uint8Array {
  const name = path.startsWith('@') ? `\0${path.slice(1)}` : `${path}\0`
  const family = new Uint8Array(Uint16Array.of(unixDomain).buffer)
  return new Uint8Array([...family, ...new TextEncoder().encode(name)])
}

// Linux's AF_UNIX; SOCK_DGRAM | SOCK_CLOEXEC; MSG_DONTWAIT | MSG_NOSIGNAL.
const unixDomain = 1
const datagram = 0o2000002
const sendFlags = 0x4040

/** A ping must arrive within this time; undefined if none is expected, or only from another process. */
export function watchdogMs(env: Environment, pid: number): number | undefined {
  const { WATCHDOG_USEC: microseconds = '', WATCHDOG_PID: of = String(pid) } = env
  return of === String(pid) && /^[1-9]\d*$/.test(microseconds) ? Number(microseconds) / 1000 : undefined
}

interface Watched {
  readonly notify: Notify
  readonly write: Write
  /** The status while everything is well. */
  readonly text: string
  readonly steady?: () => number
}

/**
 * Each call sends a ping, which proves that the event loop is running, and queues a write that changes
 * nothing and touches no disk. A failed write is no reason to restart: /readyz says why, and a full disk
 * stays full. A write that neither succeeds nor fails means that the writer hangs, so no ping is sent.
 */
export function watchdog({ notify, write, text, steady = () => performance.now() }: Watched): () => void {
  let pendingSince: number | undefined
  const settle = () => {
    pendingSince = undefined
  }
  return () => {
    if (pendingSince === undefined) {
      pendingSince = steady()
      write(async () => {}).then(settle, settle)
    }
    if (steady() - pendingSince <= hangsAfter) notify('WATCHDOG=1', `STATUS=${text}`)
    else notify('STATUS=the writer hangs: a write is neither done nor refused')
  }
}

/** In milliseconds. A write waits at most 30 s for another process (`src/db/write.ts`). */
const hangsAfter = 45_000
