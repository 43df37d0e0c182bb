const { gc, shrink } = Bun

/** Synchronous. The executable would drop a call of `Bun.gc`, as it does in libraries (`scripts/compile.ts`). */
export const collectGarbage = (): void => gc(true)

/** Synchronous: also drops compiled code, which is compiled again when it runs, and gives free pages to the system. */
export const shrinkHeap = (): void => {
  shrink()
  gc(true)
}
