/**
 * Ends what `--compile-jit-policy` in `scripts/compile.ts` begins: the code of a start runs once, and compiling it just in
 * time would take 30 ms of 110.
 */
export const compileHotCode = (): void => Bun.unsafe.setJITPolicy(1)
