/** A set of rows: one bit for each, at the row's place among all ids of its table. */
export type IdSet = Uint32Array<ArrayBuffer>

/** The set of these places, of `size` there are. */
export function setOf(places: readonly number[] | Uint32Array, size: number): IdSet {
  const set = new Uint32Array((size + 31) >>> 5)
  for (const place of places) set[place >>> 5] = (set[place >>> 5] ?? 0) | (1 << (place & 31))
  return set
}

/** What is in all of the sets, of which there is one at least. */
export function common(sets: readonly IdSet[]): IdSet {
  const [first = new Uint32Array(), ...others] = sets
  const both = first.slice()
  for (const other of others) {
    for (let word = 0; word < both.length; word++) both[word] = (both[word] ?? 0) & (other[word] ?? 0)
  }
  return both
}

export const isIn = (set: IdSet, place: number) => (((set[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1

/** How many rows are in a set. */
export function sizeOf(set: IdSet): number {
  let size = 0
  for (let word of set) {
    // Each turn takes the lowest bit away.
    for (; word !== 0; word &= word - 1) size++
  }
  return size
}
