/** How a column keeps its numbers: times need all of a double, ids and places do not. */
const kinds = { float: Float64Array, word: Uint32Array, byte: Uint8Array } as const

type Kind = keyof typeof kinds
type Numbers = Float64Array | Uint32Array | Uint8Array

/** Rows of numbers, column by column: as objects, a million of them would take half a gigabyte. */
export class Columns<Name extends string> {
  length = 0
  readonly #columns = new Map<Name, Numbers>()
  #room = 1024

  constructor(readonly of: Readonly<Record<Name, Kind>>) {
    for (const name of this.#names()) this.#columns.set(name, new kinds[of[name]](this.#room))
  }

  /** Appends a row and returns its place. */
  add(row: Readonly<Record<Name, number>>): number {
    if (this.length === this.#room) this.#grow()
    for (const [name, column] of this.#columns) column[this.length] = row[name]
    this.length += 1
    return this.length - 1
  }

  /** The rows at these places, in their order; all of them unless said. */
  *rows(places: Iterable<number> = this.#places()): Generator<Readonly<Record<Name, number>>> {
    const columns = [...this.#columns]
    for (const place of places) {
      const row: Partial<Record<Name, number>> = {}
      for (const [name, column] of columns) row[name] = column[place] ?? 0
      yield row as Record<Name, number>
    }
  }

  /** The places of all rows, those with the smallest number in a column first; equal ones as they were added. */
  inOrderOf(name: Name): Uint32Array {
    const column = this.#columns.get(name) ?? []
    return this.#places().sort((one, another) => (column[one] ?? 0) - (column[another] ?? 0) || one - another)
  }

  #places(): Uint32Array {
    return new Uint32Array(this.length).map((_, place) => place)
  }

  #grow() {
    this.#room *= 2
    for (const [name, column] of this.#columns) {
      const larger = new kinds[this.of[name]](this.#room)
      larger.set(column)
      this.#columns.set(name, larger)
    }
  }

  #names(): Name[] {
    return Object.keys(this.of) as Name[]
  }
}
