import { statfsSync, statSync } from 'node:fs'
import type { watchOpenedFiles } from './opened-files'
import type { StorageFault } from './storage-fault'
import type { Writer } from './write'
import type { WriteFault } from './write-queue'

/** SQLite restarts the write-ahead log at 16 MB, unless a long read transaction prevents it. */
export const largeWalBytes = 256 * 1024 * 1024

export interface Storage {
  /** Bytes; none are free where the directory is gone. */
  room(): { readonly freeBytes: number; readonly walBytes: number }
  findMoved(): StorageFault | undefined
  lastFault(): WriteFault | undefined
  /** Rejects all later writes and those that wait. */
  refuseWrites(fault: StorageFault): void
  stopWaiting(): void
  /** Writes that wait for the writer. */
  queueLength(): number
}

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
    queueLength: () => queue.size,
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
