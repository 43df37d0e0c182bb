/** Values made from the database that hold until the next commit, by anyone; then all are forgotten at once. */
export interface Kept<V> {
  /** The value kept under a key at this version of the database. */
  get(key: string, version: number): V | undefined
  set(key: string, version: number, value: V): void
}

/** Keeps values up to `capacity` together, as `sizeOf` measures them; beyond that the oldest go first. */
export function createKept<V>(capacity: number, sizeOf: (value: V) => number): Kept<V> {
  const values = new Map<string, V>()
  let held = 0
  let at = -1
  const startOver = (version: number) => {
    values.clear()
    held = 0
    at = version
  }
  return {
    get: (key, version) => {
      if (version !== at) startOver(version)
      return values.get(key)
    },
    set: (key, version, value) => {
      if (version !== at) startOver(version)
      if (values.has(key)) return
      values.set(key, value)
      held += sizeOf(value)
      for (const [oldest, gone] of values) {
        if (held <= capacity) return
        values.delete(oldest)
        held -= sizeOf(gone)
      }
    },
  }
}
