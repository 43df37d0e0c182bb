import { fstatSync, statSync } from 'node:fs'

/** Also true for /dev/null. `process.stderr.isTTY` would load Bun's streams: 8 ms and some MB. */
export const isStderrTerminal = (): boolean => fstatSync(2).isCharacterDevice()

/** Like `isatty` of node:tty, which would load Bun's streams too. False for a closed descriptor. */
export function isTerminal(descriptor: number): boolean {
  try {
    const file = fstatSync(descriptor)
    return file.isCharacterDevice() && file.rdev !== statSync('/dev/null').rdev
  } catch {
    return false
  }
}
