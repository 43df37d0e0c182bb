import { constants, Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/**
 * The tick (`CommitTicks`) in the main file alone, without what the write-ahead log holds. Takes no lock, changes
 * nothing, 30 µs. By SQLite, since closing a file of one's own would release SQLite's locks (fcntl(2)). Throws SQLite's
 * error for a file that is none of its own; 0 for an empty one.
 *
 * Undefined for a file that is shorter than its first page says: a checkpoint copies that page first, so one that was
 * killed or found no room leaves it so, and with the log the database is whole.
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

/** `user_version` stands in the first page, is a transaction's like any row, and is not used otherwise. */
export const tickOf = (handle: Database): number =>
  Number(handle.query('pragma user_version').values()[0]?.[0])

/** In bytes; 0 where no file can be seen. */
export function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
