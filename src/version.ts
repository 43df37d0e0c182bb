import manifest from '../package.json' with { type: 'json' }

/** This executable's version, as `kiroku version` prints it. */
export const version = manifest.version
