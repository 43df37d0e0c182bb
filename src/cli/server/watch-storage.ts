import { largeWalBytes, type Storage } from '../../db/storage'
import { logStorageFault } from '../../http/log-storage'
import type { Log } from '../../log'

/** Checks the storage every 2 s, also without writes, and logs what the operator has to know. */
export function watchStorage(storage: Storage, log: Log): void {
  let [wasMoved, wasLarge] = [false, false]
  const look = () => {
    const moved = storage.findMoved()
    if (moved !== undefined && !wasMoved) logStorageFault(log, moved)
    wasMoved = moved !== undefined
    const { walBytes } = storage.room()
    const isLarge = walBytes > largeWalBytes
    if (isLarge && !wasLarge) log('wal_large', { wal_bytes: walBytes, advice: adviceOnLargeWal })
    wasLarge = isLarge
  }
  setInterval(look, 2000).unref()
}

const adviceOnLargeWal =
  'a program has been reading the database in one transaction for long; the log shrinks once it ends'
