/**
 * Judges the system clock by the time of the last commit, which the high-water mark keeps: a machine without a
 * battery for its clock starts in 1970 until the network tells it the time. Times are epoch milliseconds.
 */
export class WallClock {
  readonly #now: () => number
  readonly #steady: () => number
  #last: number | undefined
  #aheadSince: number | undefined

  constructor(last: number | undefined, now = Date.now, steady = () => performance.now()) {
    this.#last = last
    this.#now = now
    this.#steady = steady
  }

  /** The time of the last commit while the clock is a day or more behind it; otherwise undefined. */
  behind(): number | undefined {
    return this.#last !== undefined && this.#now() < this.#last - farMs ? this.#last : undefined
  }

  /**
   * The time by which old rows may be deleted. A clock that is a day ahead of the last commit may be wrong, unless
   * it stays so for an hour: until then, the time of that commit.
   */
  believed(): number {
    const now = this.#now()
    if (this.#last === undefined || now <= this.#last + farMs) {
      this.#aheadSince = undefined
      return now
    }
    this.#aheadSince ??= this.#steady()
    return this.#steady() - this.#aheadSince >= provenMs ? now : this.#last
  }

  /** Called after commits: their time, which never goes back. */
  committedAt(): number {
    this.#last = Math.max(this.#last ?? Number.NEGATIVE_INFINITY, this.believed())
    return this.#last
  }
}

const farMs = 86_400_000
const provenMs = 3_600_000
