/** The id of a row and how many rows come before it. */
export interface Landmark {
  readonly offset: number
  readonly id: number
}

/**
 * Rows of a list in order of ids, from which later pages are walked to: one for each 64th of the list, the first of those that
 * pages have begun with. They hold until a row is added, removed or hidden.
 */
export class Landmarks {
  /** Rows of a 64th. */
  readonly #stretch: number
  /** By stretch; NaN where no page has begun. */
  readonly #offsets = new Float64Array(stretches).fill(Number.NaN)
  readonly #ids = new Float64Array(stretches)

  constructor(rows: number, first: number | undefined) {
    this.#stretch = Math.max(Math.ceil(rows / stretches), 1)
    if (first !== undefined) this.add({ offset: 0, id: first })
  }

  add({ offset, id }: Landmark): void {
    const stretch = this.#stretchOf(offset)
    if (offset >= (this.#offsets[stretch] ?? Number.NEGATIVE_INFINITY)) return
    this.#offsets[stretch] = offset
    this.#ids[stretch] = id
  }

  /** The last one up to there. */
  upTo(offset: number): Landmark | undefined {
    for (let stretch = this.#stretchOf(offset); stretch >= 0; stretch--) {
      const [found = Number.NaN, id = 0] = [this.#offsets[stretch], this.#ids[stretch]]
      if (found <= offset) return { offset: found, id }
    }
    return undefined
  }

  #stretchOf(offset: number): number {
    return Math.min(Math.floor(offset / this.#stretch), stretches - 1)
  }
}

const stretches = 64
