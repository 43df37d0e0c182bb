import type { Config } from './config'
import type { Generations } from './db/generations/generations'
import type { WallClock } from './db/health/wall-clock'
import type { Reads } from './db/open'
import type { Storage } from './db/storage'
import type { Write } from './db/write'
import type { Outside } from './fetching/outside'
import type { Log } from './log'
import type { Mail } from './mail/mail'
import type { Metrics } from './metrics/metrics'

/** Everything from outside that the application reads, changes or calls. */
export interface Deps extends Reads {
  readonly write: Write
  readonly generations: Pick<Generations, 'last' | 'isCurrent'>
  readonly storage: Storage
  readonly config: Config
  /** Epoch milliseconds. */
  now(): number
  /** Whether `now` is likely to be right. */
  readonly wallClock: Pick<WallClock, 'behind' | 'believed'>
  /** Monotonic milliseconds, for intervals. */
  steady(): number
  random(length: number): Uint8Array<ArrayBuffer>
  /** Cost of a new password hash: KiB of memory, and passes over it. */
  readonly passwordCost: { readonly memoryCost: number; readonly timeCost: number }
  readonly log: Log
  isStopping(): boolean
  /** Other hosts, for what members have sent to them. */
  readonly outside: Outside
  readonly mail: Mail | undefined
  /** Undefined unless enabled. */
  readonly metrics: Metrics | undefined
}
