import { fstatSync } from 'node:fs'

/** True for /dev/null too. Not `process.stderr.isTTY`: loading Bun's streams takes 8 ms and some MB. */
export const isStderrTerminal = (): boolean => fstatSync(2).isCharacterDevice()
