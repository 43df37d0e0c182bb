import type { StorageFault, StorageProblem } from '../db/storage-fault'
import type { Log } from '../log'

/** Logs each problem at most once a minute, unless the log has level debug; `missed` counts the lines suppressed since. */
export function logStorageFault(log: Log, { problem, message }: StorageFault): void {
  const known = logged.get(log) ?? new Map<StorageProblem, Logged>()
  logged.set(log, known)
  const last = known.get(problem)
  const now = performance.now()
  if (last !== undefined && now - last.at < 60_000) {
    last.missed++
    log('storage_fault_again', { problem })
    return
  }
  known.set(problem, { at: now, missed: 0 })
  log('storage_fault', { problem, why: message, advice: advice[problem], missed: last?.missed })
}

interface Logged {
  readonly at: number
  missed: number
}

const logged = new WeakMap<Log, Map<StorageProblem, Logged>>()

const advice: Readonly<Record<StorageProblem, string>> = {
  disk_full: 'make room on the disk; writes go on by themselves then',
  io_error: 'look at the disk, its quota and the limits of this process',
  read_only: 'make the database and its directory writable for the user that runs kiroku',
  cannot_open: 'see that the data directory is there and may be used by the user that runs kiroku',
  busy: 'find the other process that keeps the database locked, and end it',
  moved: 'stop the server, put the database and its -wal file back, start it again',
  damaged:
    'stop the server and copy the data directory; kiroku doctor tells what is damaged, kiroku backup restore puts the latest backup in its place',
}
