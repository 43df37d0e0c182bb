const { gc } = Bun

/** Synchronous. The executable would drop a call of `Bun.gc`, as it does in libraries (`scripts/compile.ts`). */
export const collectGarbage = (): void => gc(true)
