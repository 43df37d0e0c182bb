/** Ends `--compile-jit-policy` of `scripts/compile.ts`: compiling what runs once would take 30 ms of a start. */
export const compileHotCode = (): void => Bun.unsafe.setJITPolicy(1)
