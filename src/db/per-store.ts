import type { Read } from './open'

/** One value per store, created on first use. */
export function perStore<T>(create: (read: Read) => T): (read: Read) => T {
  const made = new WeakMap<Read, T>()
  return (read) => {
    const one = made.get(read) ?? create(read)
    made.set(read, one)
    return one
  }
}
