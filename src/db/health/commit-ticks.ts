import type { Database } from 'bun:sqlite'
import { type HighWater, readHighWater, writeHighWater, writeHighWaterLater } from './high-water'
import { mainFileTick, tickOf } from './main-file'

/**
 * Numbers the seconds with commits: the first commit of a second increments `user_version` in its own
 * transaction, after which the high-water mark is written. A commit without a number of its own is followed
 * by an empty one within a second.
 */
export class CommitTicks {
  readonly #handle: Database
  readonly #directory: string
  readonly #commitEmpty: () => void
  #newest: { readonly instance: string; readonly tick: number } | undefined
  #pending: { readonly instance: string; readonly tick: number } | undefined
  #tickedAt = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> | undefined
  #checkpointed: number
  #seen: { readonly tick: number; readonly at: number } | undefined

  constructor(directory: string, handle: Database, commitEmpty: () => void) {
    this.#handle = handle
    this.#directory = directory
    this.#commitEmpty = commitEmpty
    this.#checkpointed = readHighWater(this.#directory)?.checkpointed ?? 0
  }

  beforeCommit(): void {
    this.#pending = undefined
    if (performance.now() - this.#tickedAt < lengthMs) return
    const tick = tickOf(this.#handle) + 1
    this.#handle.run(`pragma user_version = ${tick}`)
    this.#pending = { tick, instance: this.#newest?.instance ?? instanceOf(this.#handle) }
  }

  afterCommit(): void {
    if (this.#pending === undefined) {
      this.#timer ??= setTimeout(
        this.#commitEmpty,
        Math.max(1, this.#tickedAt + lengthMs - performance.now()),
      ).unref()
      return
    }
    this.#cancelTimer()
    this.#newest = this.#pending
    this.#pending = undefined
    this.#tickedAt = performance.now()
    this.#writing ??= this.#writeLater()
  }

  /** Gives the last commits their number; afterwards nothing is written in the background. */
  async finish(): Promise<void> {
    if (this.#timer !== undefined) {
      this.#cancelTimer()
      this.#tickedAt = Number.NEGATIVE_INFINITY
      this.#commitAlone()
    }
    await this.#writing
  }

  /** `isCheckpointed`: the log was copied into the main file and synced. */
  writeLast({ isCheckpointed }: { isCheckpointed: boolean }): void {
    if (this.#newest === undefined) return
    if (isCheckpointed) this.#checkpointed = mainFileTick(this.#handle.filename) ?? this.#checkpointed
    writeHighWater(this.#directory, this.#mark(this.#newest))
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
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
    } finally {
      this.#writing = undefined
    }
  }

  /** Another process may be copying its log right now; a tick first seen long ago is on disk. */
  #look(): void {
    const now = performance.now()
    if (this.#seen !== undefined && now - this.#seen.at < flushedAfterMs) return
    this.#checkpointed = Math.max(this.#checkpointed, this.#seen?.tick ?? 0)
    this.#seen = { tick: mainFileTick(this.#handle.filename) ?? this.#checkpointed, at: now }
  }

  #mark({ instance, tick }: { readonly instance: string; readonly tick: number }): HighWater {
    return { instance, tick, checkpointed: this.#checkpointed, at: new Date().toISOString() }
  }
}

const lengthMs = 1000
const flushedAfterMs = 30_000

/** Created by the first commit that needs it. */
function instanceOf(handle: Database): string {
  handle.run("insert or ignore into instance (name, value) values ('instance_id', ?)", [crypto.randomUUID()])
  return instanceIdOf(handle) ?? ''
}

export const instanceIdOf = (handle: Database): string | undefined =>
  handle.query<{ value: string }, []>("select value from instance where name = 'instance_id'").all()[0]?.value
