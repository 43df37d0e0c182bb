import manifest from '../package.json' with { type: 'json' }

/** This executable's version, as `kiroku version` prints it. */
export const version = manifest.version

/** Replaced by `scripts/compile.ts`; not declared where the sources run. */
declare const BUILT_FROM: { readonly commit: string; readonly date: string } | undefined

const builtFrom = typeof BUILT_FROM === 'undefined' ? undefined : BUILT_FROM

/** Ends in `-dirty` when files had changed since. Undefined where it was built without the history of the sources. */
export const commit: string | undefined = builtFrom?.commit

/** The day of the commit, such as 2026-11-22. */
export const builtOn: string | undefined = builtFrom?.date
