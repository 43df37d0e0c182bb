import { largeWalBytes, type Storage } from '../../db/storage'
import { logStorageFault } from '../../http/log-storage'
import type { Log } from '../../log'

/** Checks the storage every 2 s, also without writes, and logs what the operator has to know. */
export function watchStorage(storage: Storage, log: Log): void {
  let [wasMoved, wasLarge, wasLow] = [false, false, false]
  const look = () => {
    const moved = storage.findMoved()
    if (moved !== undefined && !wasMoved) logStorageFault(log, moved)
    wasMoved = moved !== undefined
    if (!wasMoved) refuseOverwritten(storage, log)
    wasLow = lookAtRoom(storage, log, wasLow)
    const { walBytes } = storage.room()
    const isLarge = walBytes > largeWalBytes
    if (isLarge && !wasLarge) log('wal_large', { wal_bytes: walBytes, advice: adviceOnLargeWal })
    wasLarge = isLarge
  }
  setInterval(look, 2000).unref()
}

function refuseOverwritten(storage: Storage, log: Log): void {
  if (storage.refusal() !== undefined) return
  const fault = storage.findOverwritten()
  if (fault === undefined) return
  storage.refuseWrites(fault)
  logStorageFault(log, fault)
}

/** Returns whether too little is free to write. */
function lookAtRoom(storage: Storage, log: Log, wasLow: boolean): boolean {
  const low = storage.findLowRoom()
  if (low === undefined) {
    if (wasLow) log('disk_has_room', { free_bytes: storage.room().freeBytes, why: 'writes go on' })
    void storage.keepBallast()
    return false
  }
  if (!wasLow) logStorageFault(log, low)
  storage.useBallast()
  return true
}

const adviceOnLargeWal =
  'a program has been reading the database in one transaction for long; the log shrinks once it ends'
