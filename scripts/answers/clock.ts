import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A clock for other processes, by faketime: it stands still until it is moved. */
export interface Clock {
  readonly environment: Readonly<Record<string, string>>
  /** Milliseconds since 1970. */
  readonly now: number
  advance(seconds: number): void
}

export function createClock(folder: string): Clock {
  const [library] = [...new Bun.Glob('/usr/lib/*/faketime/libfaketime.so.1').scanSync('/')]
  if (library === undefined) throw new Error('libfaketime is missing: apt-get install faketime')
  const file = join(folder, 'clock')
  let now = Date.UTC(2026, 10, 1, 12)
  const write = () => {
    // In place: whoever reads meanwhile finds one time or the other.
    const handle = openSync(file, now === Date.UTC(2026, 10, 1, 12) ? 'w' : 'r+')
    writeSync(handle, new Date(now).toISOString().slice(0, 19).replace('T', ' '), 0)
    closeSync(handle)
  }
  write()
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Timers wait by the steady clock: with that standing still, a server may wait for ever.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      TZ: 'UTC',
    },
    get now() {
      return now
    },
    advance: (seconds) => {
      now += seconds * 1000
      write()
    },
  }
}
