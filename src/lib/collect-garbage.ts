const { gc } = Bun

/** At once. Called as `Bun.gc` the executable would leave it out, as it does in libraries (`scripts/compile.ts`). */
export const collectGarbage = (): void => gc(true)
