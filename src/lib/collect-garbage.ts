const { gc, shrink } = Bun

/** Synchronous. The executable would drop a call of `Bun.gc`, as it does in libraries (`scripts/compile.ts`). */
export const collectGarbage = (): void => gc(true)

/** Synchronous: also drops compiled code, which is compiled again when it runs, and gives free pages to the system. */
export const shrinkHeap = (): void => {
  shrink()
  gc(true)
}

/** Caches of the whole process that are still in use. */
const caches = new Set<WeakRef<{ clear(): void }>>()

/** Returns the cache, which `emptyCaches` will clear. */
export function emptiedAtRest<C extends { clear(): void }>(cache: C): C {
  caches.add(new WeakRef(cache))
  return cache
}

/** For a server at rest: whatever was kept is read again when it is wanted. */
export function emptyCaches(): void {
  for (const reference of caches) {
    const cache = reference.deref()
    if (cache === undefined) caches.delete(reference)
    else cache.clear()
  }
}
