import { fstatSync } from 'node:fs'

/**
 * Whether standard error is a terminal, or /dev/null, where it makes no difference. Not `process.stderr.isTTY`, for
 * which Bun loads all of its streams: that takes 8 ms and some MB.
 */
export const errorsAreSeen = (): boolean => fstatSync(2).isCharacterDevice()
