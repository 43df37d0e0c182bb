import { constants, Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/**
 * The tick (`CommitTicks`) in the main file, ignoring the write-ahead log. Takes no lock, changes nothing, 30 µs. Done
 * by SQLite, since closing a file ourselves would release SQLite's locks (fcntl(2)). Throws SQLite's error for a file
 * that is not a database; 0 for an empty one.
 *
 * Undefined for a file that is shorter than its first page says: a checkpoint copies that page first, so if it was
 * killed or found no room, the file stays that way, but together with the log the database is complete.
 */
export function mainFileTick(path: string): number | undefined {
  const address = `${pathToFileURL(path).href}?immutable=1`
  const handle = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  try {
    return tickOf(handle)
  } catch (cause) {
    if (hasCode(cause, /^SQLITE_CORRUPT/)) return undefined
    throw cause
  } finally {
    handle.close()
  }
}

export const hasCode = (cause: unknown, code: RegExp): boolean =>
  cause instanceof Error && 'code' in cause && code.test(String(cause.code))

/** `user_version` is in the first page, is transactional like any row, and is otherwise unused. */
export const tickOf = (handle: Database): number =>
  Number(handle.query('pragma user_version').values()[0]?.[0])

/** In bytes; 0 if no file is visible. */
export function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
