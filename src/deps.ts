import type { Config } from './config'
import type { Read } from './db/open'
import type { Storage } from './db/storage'
import type { Write } from './db/write'
import type { Log } from './log'
import type { Mail } from './mail/mail'

/** All of the outside world: everything the application reads, changes or asks comes through here. */
export interface Deps {
  readonly read: Read
  /** `read` for small queries right after a commit, whose pages are still in the writer's cache. */
  warmRead(): Read
  readonly write: Write
  /** A number that changes with every commit to the database. */
  version(): number
  readonly storage: Storage
  readonly config: Config
  /** The time now, in epoch milliseconds. */
  now(): number
  /** Milliseconds since some moment, for intervals: they go on evenly whatever the clock of `now` is set to. */
  steady(): number
  /** Cryptographically random bytes. */
  random(length: number): Uint8Array<ArrayBuffer>
  /** What a new hash of a password costs: KiB of memory, and passes over it. */
  readonly passwordCost: { readonly memoryCost: number; readonly timeCost: number }
  readonly log: Log
  /** Whether the server takes no new connections any more. */
  isStopping(): boolean
  /** Undefined where no mail can be sent. */
  readonly mail: Mail | undefined
}
