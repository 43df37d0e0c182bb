import type { Config } from './config'
import type { Generations } from './db/generations/generations'
import type { TrackedRead } from './db/generations/tracked-read'
import type { WallClock } from './db/health/wall-clock'
import type { Read } from './db/open'
import type { Storage } from './db/storage'
import type { Write } from './db/write'
import type { Log } from './log'
import type { Mail } from './mail/mail'
import type { Metrics } from './metrics/metrics'

/** Everything from outside that the application reads, changes or calls. */
export interface Deps {
  readonly read: Read
  /** `read` with the writer's page cache, for small queries right after a commit. */
  warmRead(): Read
  /** `read` on its own connection, for long work. */
  readBeside<T>(use: (read: Read) => Promise<T>): Promise<T>
  readonly write: Write
  /** `read`, collecting which tables it reads, for what is kept until a commit touches one of them. */
  trackedRead(): TrackedRead
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
  readonly mail: Mail | undefined
  /** Undefined unless enabled. */
  readonly metrics: Metrics | undefined
}
