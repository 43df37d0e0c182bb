import type { Write } from '../../db/write'
import type { Log } from '../../log'
import type { Environment } from '../../options/environment'
import { type Notify, openNotify } from './notify'

/** What is told to a service manager such as systemd; nothing if none asks. */
export interface Supervisor {
  /** The server listens. From now on the watchdog is answered, if the manager has one. */
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
        log('notify_failed', { why: 'the socket in NOTIFY_SOCKET takes nothing' })
      const interval = watchdogMs(env, process.pid)
      if (interval !== undefined) setInterval(watchdog({ notify, write, text }), interval / 2).unref()
    },
    stopping: () => notify('STOPPING=1', 'STATUS=finishing what runs'),
  }
}

/** Within this time a ping has to arrive; undefined if none is waited for, or for those of another process. */
export function watchdogMs(env: Environment, pid: number): number | undefined {
  const { WATCHDOG_USEC: microseconds = '', WATCHDOG_PID: of = String(pid) } = env
  return of === String(pid) && /^[1-9]\d*$/.test(microseconds) ? Number(microseconds) / 1000 : undefined
}

interface Watched {
  readonly notify: Notify
  readonly write: Write
  /** What the status is while all is well. */
  readonly text: string
  readonly steady?: () => number
}

/**
 * Pings when called, which itself shows that the event loop turns. Each ping also sends a write through the queue that
 * changes nothing and touches no disk. One that fails is no reason to restart: /readyz says why, and a full disk stays
 * full. One that is neither done nor refused means that the writer hangs: then there is no ping.
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

/** In milliseconds. A write waits 30 s at most for another process (`src/db/write.ts`). */
const hangsAfter = 45_000
