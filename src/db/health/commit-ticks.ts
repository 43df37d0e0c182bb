import type { Database } from 'bun:sqlite'
import { type HighWater, readHighWater, writeHighWater, writeHighWaterLater } from './high-water'
import { mainFileTick, tickOf } from './main-file'
import type { WallClock } from './wall-clock'

/**
 * Numbers the seconds with commits: the first commit of a second increments `user_version` in its own
 * transaction, after which the high-water mark is written. A commit without a number of its own is followed
 * by an empty one within a second.
 */
export class CommitTicks {
  readonly #handle: Database
  readonly #directory: string
  readonly #commitEmpty: () => Promise<void>
  readonly #clock: TickClock
  #newest: { readonly instance: string; readonly tick: number } | undefined
  #pending: { readonly instance: string; readonly tick: number } | undefined
  #tickedAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | undefined
  #isStopped = false
  #writing: Promise<void> | undefined
  #checkpointed: number
  #seen: { readonly tick: number; readonly at: number } | undefined

  constructor(directory: string, handle: Database, commitEmpty: () => Promise<void>, clock: TickClock) {
    this.#handle = handle
    this.#directory = directory
    this.#commitEmpty = commitEmpty
    this.#clock = clock
    this.#checkpointed = readHighWater(this.#directory)?.checkpointed ?? 0
  }

  beforeCommit(): void {
    this.#pending = undefined
    if (this.#clock.now() - this.#tickedAt < lengthMs) return
    const tick = tickOf(this.#handle) + 1
    this.#handle.run(`pragma user_version = ${tick}`)
    this.#pending = { tick, instance: this.#newest?.instance ?? instanceOf(this.#handle) }
  }

  afterCommit(): void {
    if (this.#pending === undefined) {
      this.#commitSoon(this.#tickedAt + lengthMs - this.#clock.now())
      return
    }
    this.#cancel?.()
    this.#newest = this.#pending
    this.#pending = undefined
    this.#tickedAt = this.#clock.now()
    this.#writing ??= this.#writeLater()
  }

  /** Gives the last commits their number; afterwards nothing is written in the background. */
  async finish(): Promise<void> {
    const isBehind = this.#cancel !== undefined
    this.stop()
    if (isBehind) {
      this.#tickedAt = Number.NEGATIVE_INFINITY
      this.#commitAlone()
    }
    await this.written()
  }

  /** Ends the timer, also where the last commits then have no number. */
  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
  }

  /** Resolves once no mark is being written. */
  async written(): Promise<void> {
    await this.#writing
  }

  /** `isCheckpointed`: the log was copied into the main file and synced. */
  writeLast({ isCheckpointed }: { isCheckpointed: boolean }): void {
    if (this.#newest === undefined) return
    if (isCheckpointed) this.#checkpointed = mainFileTick(this.#handle.filename) ?? this.#checkpointed
    writeHighWater(this.#directory, this.#mark(this.#newest))
  }

  /**
   * Timers may fire a millisecond early: the commit then gets no number, and `afterCommit` comes back here. What
   * fails, as on a busy or full disk, is tried again each second.
   */
  #commitSoon(ms: number): void {
    if (this.#cancel !== undefined || this.#isStopped) return
    const cancel = this.#clock.after(Math.max(1, Math.ceil(ms)), () => {
      this.#cancel = undefined
      this.#commitEmpty().catch(() => this.#commitSoon(lengthMs))
    })
    this.#cancel = () => {
      this.#cancel = undefined
      cancel()
    }
  }

  #commitAlone(): void {
    this.#handle.run('begin immediate')
    this.beforeCommit()
    this.#handle.run('commit')
    this.#newest = this.#pending ?? this.#newest
  }

  /** Never rejects: a mark that lags behind causes no false alarm. */
  async #writeLater(): Promise<void> {
    try {
      for (let written = -1; this.#newest !== undefined && written !== this.#newest.tick; ) {
        written = this.#newest.tick
        this.#look()
        await writeHighWaterLater(this.#directory, this.#mark(this.#newest))
      }
    } catch {
      this.#commitSoon(lengthMs)
    } finally {
      this.#writing = undefined
    }
  }

  /** Another process may be copying its log right now; a tick first seen long ago is on disk. */
  #look(): void {
    const now = this.#clock.now()
    if (this.#seen !== undefined && now - this.#seen.at < flushedAfterMs) return
    this.#checkpointed = Math.max(this.#checkpointed, this.#seen?.tick ?? 0)
    this.#seen = { tick: mainFileTick(this.#handle.filename) ?? this.#checkpointed, at: now }
  }

  #mark({ instance, tick }: { readonly instance: string; readonly tick: number }): HighWater {
    return {
      instance,
      tick,
      checkpointed: this.#checkpointed,
      at: new Date(this.#clock.committedAt()).toISOString(),
    }
  }
}

export interface TickClock {
  /** Monotonic, in milliseconds. */
  now(): number
  /** The time of a commit in epoch milliseconds. */
  committedAt(): number
  /** Returns how to cancel it. */
  after(ms: number, run: () => void): () => void
}

export const tickClock = (wallClock: WallClock): TickClock => ({
  now: () => performance.now(),
  committedAt: () => wallClock.committedAt(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
})

const lengthMs = 1000
const flushedAfterMs = 30_000

/** Created by the first commit that needs it. */
function instanceOf(handle: Database): string {
  handle.run("insert or ignore into instance (name, value) values ('instance_id', ?)", [crypto.randomUUID()])
  return instanceIdOf(handle) ?? ''
}

export const instanceIdOf = (handle: Database): string | undefined =>
  handle.query<{ value: string }, []>("select value from instance where name = 'instance_id'").all()[0]?.value
