import { type IdSet, setOf } from './id-set'

/** The ids of a query, in its order. */
export type FindIds = () => Promise<readonly { readonly id: number }[]>

/** Under what a set or an order is kept: its name, and what has to stay as it is; without that it is not kept. */
export interface Held {
  readonly name: string
  readonly mark: string | undefined
}

/** The rows of a table by their place in the order of ids, and the sets and orders of places that are kept. */
export interface IdSets {
  /** Whether `ids` are still all there are. */
  readonly mark: number | undefined
  /** Going up. */
  readonly ids: Float64Array
  /** The set of the rows that are found, in whatever order. */
  set(held: Held, find: FindIds): Promise<IdSet>
  /** The places of the rows, in the order they are found in. */
  order(held: Held, find: FindIds): Promise<Uint32Array>
}

/** How many sets and orders are kept of a table. A set takes an eighth of a byte for each row, an order four bytes. */
const keptAtMost = 500

export function createIdSets(mark: number | undefined, all: readonly { readonly id: number }[]): IdSets {
  const ids = Float64Array.from(all, ({ id }) => id)
  const kept = new Map<string, { readonly mark: string; readonly places: Uint32Array<ArrayBuffer> }>()
  const keep = async ({ name, mark }: Held, make: () => Promise<Uint32Array<ArrayBuffer>>) => {
    const known = kept.get(name)
    const places = known !== undefined && known.mark === mark ? known.places : await make()
    kept.delete(name)
    if (mark !== undefined) kept.set(name, { mark, places })
    for (const oldest of kept.keys()) {
      if (kept.size <= keptAtMost) break
      kept.delete(oldest)
    }
    return places
  }
  return {
    mark,
    ids,
    set: (held, find) => keep(held, async () => setOf(placesOf(ids, await find()), ids.length)),
    order: (held, find) => keep(held, async () => placesOf(ids, await find())),
  }
}

/** Where rows stand among ids that go up, without those that came since the ids were read. */
function placesOf(ids: Float64Array, rows: readonly { readonly id: number }[]): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(rows.length)
  let n = 0
  for (const { id } of rows) {
    const place = placeOf(ids, id)
    if (ids[place] === id) places[n++] = place
  }
  return places.subarray(0, n)
}

/** The first place whose id is not below this one. */
function placeOf(ids: Float64Array, id: number): number {
  let [from, to] = [0, ids.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((ids[middle] ?? id) < id) from = middle + 1
    else to = middle
  }
  return from
}
