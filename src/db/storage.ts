import type { Database } from 'bun:sqlite'
import { checkpoint } from './health/checkpoint'
import { sizeOf } from './health/main-file'
import type { Room } from './health/room'
import { watchMainFile } from './health/watch-main-file'
import type { watchOpenedFiles } from './opened-files'
import type { StorageFault } from './storage-fault'
import type { Writer } from './write'
import type { WriteFault } from './write-queue'

/** SQLite restarts the write-ahead log at 16 MB, unless a long read transaction prevents it. */
export const largeWalBytes = 256 * 1024 * 1024

export interface Storage {
  /** In bytes; 0 are free if the directory is gone. */
  room(): { readonly freeBytes: number; readonly walBytes: number }
  findMoved(): StorageFault | undefined
  /** Too little space to write; recovers by itself. */
  findLowRoom(): StorageFault | undefined
  timesLowRoom(): number
  /** Something else, or an older copy, was written into the main file. */
  findOverwritten(): StorageFault | undefined
  /** Creates the ballast if it is missing and there is space. */
  keepBallast(): Promise<void>
  /** Drops the ballast if the disk lacks the space to copy the log into the database, and copies it. */
  useBallast(): void
  /** Copies the log into the database and truncates it, so that nothing of what was deleted is left in either; whether it could. */
  emptyLog(): boolean
  /** Why nothing will be written until the next start. */
  refusal(): StorageFault | undefined
  lastFault(): WriteFault | undefined
  /** Rejects all waiting and later writes. */
  refuseWrites(fault: StorageFault): void
  stopWaiting(): void
  queueLength(): number
}

interface StorageParts {
  readonly handle: Database
  readonly room: Room
  readonly findMoved: ReturnType<typeof watchOpenedFiles>
  readonly writer: Writer
}

export function storageOf(
  path: string,
  { handle, room, findMoved, writer: { queue } }: StorageParts,
): Storage {
  return {
    room: () => ({ freeBytes: room.freeBytes(), walBytes: sizeOf(`${path}-wal`) }),
    findMoved,
    findLowRoom: () => room.findFault(),
    timesLowRoom: () => room.timesLow,
    findOverwritten: watchMainFile(path),
    keepBallast: () => room.makeBallast(),
    useBallast: () => {
      if (handle.inTransaction || !room.hasBallast() || room.freeBytes() >= sizeOf(`${path}-wal`)) return
      room.dropBallast()
      checkpoint(handle)
    },
    emptyLog: () => !handle.inTransaction && queue.refusal === undefined && checkpoint(handle),
    refusal: () => queue.refusal,
    lastFault: () => queue.lastFault,
    refuseWrites: (fault) => queue.refuse(fault),
    stopWaiting: () => queue.stopWaiting(),
    queueLength: () => queue.size,
  }
}
