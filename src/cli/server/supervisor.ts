import type { Write } from '../../db/write'
import type { Log } from '../../log'
import type { Environment } from '../../options/environment'
import { type Notify, openNotify } from './notify'

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
