import { statfsSync, statSync } from 'node:fs'
import type { watchOpenedFiles } from './opened-files'
import type { StorageFault } from './storage-fault'
import type { Writer } from './write'
import type { WriteFault } from './write-queue'

/** SQLite starts the log over at 16 MB, unless somebody reads in one long transaction. */
export const largeWalBytes = 256 * 1024 * 1024

/** What the database of an open data directory lies on. */
export interface Storage {
  /** What is left of the disk and how long the database's log is, in bytes; nothing is left where the directory is gone. */
  room(): { readonly freeBytes: number; readonly walBytes: number }
  /** A `moved` fault while the database's files are not those that were opened. Costs about 2 µs. */
  findMoved(): StorageFault | undefined
  /** The last storage fault that a write met. */
  lastFault(): WriteFault | undefined
  /** From now on every write is rejected with this fault, also those that wait for another process. */
  refuseWrites(fault: StorageFault): void
  /** From now on no write waits for another process. */
  stopWaiting(): void
}

/** `findMoved` as `watchOpenedFiles` made it when the files were opened. */
export function storageOf(
  path: string,
  directory: string,
  findMoved: ReturnType<typeof watchOpenedFiles>,
  { queue }: Writer,
): Storage {
  return {
    room: () => ({ freeBytes: freeBytesOf(directory), walBytes: sizeOf(`${path}-wal`) }),
    findMoved,
    lastFault: () => queue.lastFault,
    refuseWrites: (fault) => queue.refuse(fault),
    stopWaiting: () => queue.stopWaiting(),
  }
}

function freeBytesOf(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return 0
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
