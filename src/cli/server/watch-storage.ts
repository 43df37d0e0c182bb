import { largeWalBytes, type Storage } from '../../db/storage'
import { logStorageFault } from '../../http/log-storage'
import type { Log } from '../../log'

/** Checks the storage every 2 s, even without writes, and logs what the operator must know. */
export function watchStorage(storage: Storage, log: Log): void {
  let [wasMoved, wasLarge, timesLowTold] = [false, false, 0]
  const look = () => {
    const moved = storage.findMoved()
    if (moved !== undefined && !wasMoved) logStorageFault(log, moved)
    wasMoved = moved !== undefined
    if (!wasMoved) refuseOverwritten(storage, log)
    timesLowTold = lookAtRoom(storage, log, timesLowTold)
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

/** `told` is how many of the low-space periods have been logged as over; returns the new number. */
function lookAtRoom(storage: Storage, log: Log, told: number): number {
  const low = storage.findLowRoom()
  if (low !== undefined) {
    logStorageFault(log, low)
    storage.useBallast()
    return told
  }
  const times = storage.timesLowRoom()
  if (times > told) log('disk_has_room', { free_bytes: storage.room().freeBytes, why: 'writes resumed' })
  void storage.keepBallast()
  return times
}

const adviceOnLargeWal =
  'a program has been reading the database in one transaction for long; the log shrinks once it ends'
