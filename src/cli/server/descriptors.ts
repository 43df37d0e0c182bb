import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** Whether `count` more files can be opened; tries it, which takes about 50 µs. */
export function hasDescriptors(count: number): boolean {
  const opened: number[] = []
  try {
    for (let n = 0; n < count; n++) opened.push(openSync(devNull, 'r'))
    return true
  } catch (cause) {
    if (isExhausted(cause)) return false
    throw cause
  } finally {
    opened.forEach(closeSync)
  }
}

/** The limit of this process (EMFILE) or of the machine (ENFILE). */
const isExhausted = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && /^E[MN]FILE$/.test(String(cause.code))
