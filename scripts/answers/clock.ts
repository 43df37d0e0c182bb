import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const halfDay = 43_200_000

/** A clock for other processes, by faketime: it stands still until it is moved. */
export interface Clock {
  /** For what follows the clock as it is moved. */
  readonly environment: Readonly<Record<string, string>>
  /** For what ends before it is moved: it reads no file at each look. */
  readonly still: Readonly<Record<string, string>>
  /** Milliseconds since 1970. */
  readonly now: number
  advance(seconds: number): void
  /** Goes on to the next noon or midnight: what came before, more or less, changes no later time. */
  toNextHalfDay(): void
}

export function createClock(folder: string): Clock {
  // MT: the other one reads the time of day now and then, where several threads ask at once.
  const [library] = [...new Bun.Glob('/usr/lib/*/faketime/libfaketimeMT.so.1').scanSync('/')]
  if (library === undefined) throw new Error('libfaketime is missing: apt-get install faketime')
  const file = join(folder, 'clock')
  let now = Date.UTC(2026, 10, 1, 12)
  const text = () => new Date(now).toISOString().slice(0, 19).replace('T', ' ')
  const write = () => {
    // In place: whoever reads meanwhile finds one time or the other.
    const handle = openSync(file, now === Date.UTC(2026, 10, 1, 12) ? 'w' : 'r+')
    writeSync(handle, text(), 0)
    closeSync(handle)
  }
  write()
  // Timers wait by the steady clock: with that standing still, a server may wait for ever.
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
