import manifest from '../package.json' with { type: 'json' }

/** This executable's version, as `kiroku version` prints it. */
export const version = manifest.version

/** Defined by `scripts/compile.ts`; missing when running from source. */
declare const BUILT_FROM: { readonly commit: string; readonly date: string } | undefined

const builtFrom = typeof BUILT_FROM === 'undefined' ? undefined : BUILT_FROM

/** Ends in `-dirty` if files had uncommitted changes. Undefined if built outside a Git checkout. */
export const commit: string | undefined = builtFrom?.commit

/** The day of the commit, such as 2026-11-22. */
export const builtOn: string | undefined = builtFrom?.date
