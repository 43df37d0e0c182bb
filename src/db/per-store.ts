import type { Read } from './open'

/** One thing for each store, made when it is first wanted, kept for as long as the store is there. */
export function perStore<T>(create: (read: Read) => T): (read: Read) => T {
  const made = new WeakMap<Read, T>()
  return (read) => {
    const one = made.get(read) ?? create(read)
    made.set(read, one)
    return one
  }
}
