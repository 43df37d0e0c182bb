import { fstatSync, statSync } from 'node:fs'

/** True for /dev/null too. Not `process.stderr.isTTY`: loading Bun's streams takes 8 ms and some MB. */
export const isStderrTerminal = (): boolean => fstatSync(2).isCharacterDevice()

/** Like `isatty` of node:tty, which loads Bun's streams too. False for a closed descriptor. */
export function isTerminal(descriptor: number): boolean {
  try {
    const file = fstatSync(descriptor)
    return file.isCharacterDevice() && file.rdev !== statSync('/dev/null').rdev
  } catch {
    return false
  }
}
