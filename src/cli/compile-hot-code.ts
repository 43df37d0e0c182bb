/** Ends the `--compile-jit-policy` of `scripts/compile.ts`: compiling code that runs once would slow a start by 30 ms. */
export const compileHotCode = (): void => Bun.unsafe.setJITPolicy(1)
