import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const halfDay = 43_200_000

/** A clock for other processes, through faketime: it stands still until it is moved. */
export interface Clock {
  /** For a process that has to see the clock move. */
  readonly environment: Readonly<Record<string, string>>
  /** For a short-lived process: faketime reads no file. */
  readonly still: Readonly<Record<string, string>>
  /** In epoch milliseconds. */
  readonly now: number
  advance(seconds: number): void
  /** Moves to the next noon or midnight, so that a different number of earlier requests does not shift later times. */
  toNextHalfDay(): void
}

export function createClock(folder: string): Clock {
  // The MT variant, since the other one sometimes reads the real time in multi-threaded programs.
  const [library] = [...new Bun.Glob('/usr/lib/*/faketime/libfaketimeMT.so.1').scanSync('/')]
  if (library === undefined) throw new Error('libfaketime is missing: apt-get install faketime')
  const file = join(folder, 'clock')
  let now = Date.UTC(2026, 10, 1, 12)
  const text = () => new Date(now).toISOString().slice(0, 19).replace('T', ' ')
  const write = () => {
    // Written in place, so that a reader finds one time or the other.
    const handle = openSync(file, now === Date.UTC(2026, 10, 1, 12) ? 'w' : 'r+')
    writeSync(handle, text(), 0)
    closeSync(handle)
  }
  write()
  // Timers need the real monotonic clock; with a fake one, a server may wait forever.
  const base = { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: '1', TZ: 'UTC' }
  const moveTo = (time: number) => {
    now = time
    write()
  }
  return {
    environment: { ...base, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
    get still() {
      return { ...base, FAKETIME: text() }
    },
    get now() {
      return now
    },
    advance: (seconds) => moveTo(now + seconds * 1000),
    toNextHalfDay: () => moveTo((Math.floor(now / halfDay) + 1) * halfDay),
  }
}
