import { statfsSync, statSync } from 'node:fs'
import { databasePath } from './open'

/** What is left of the disk a data directory is on, and how long its log is, in bytes. Throws where it is gone. */
export function storageOf(directory: string): { readonly freeBytes: number; readonly walBytes: number } {
  const { bavail, bsize } = statfsSync(directory)
  const wal = statSync(`${databasePath(directory)}-wal`, { throwIfNoEntry: false })
  return { freeBytes: bavail * bsize, walBytes: wal?.size ?? 0 }
}
