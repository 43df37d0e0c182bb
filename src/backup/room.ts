import { statfsSync } from 'node:fs'
import { Failure } from '../lib/failure'

/** In bytes. A server turns read-only below 32 MB of free space, and keeps writing while a backup is made. */
const reserve = 64 * 1024 * 1024

/** Throws an `io` failure if `bytes` more would leave less than 64 MB free. */
export function refuseWithoutRoom(directory: string, bytes: number): void {
  const free = freeBytes(directory)
  if (free - bytes >= reserve) return
  throw new Failure(
    'io',
    `not enough space in ${directory}: about ${sizeText(bytes)} are needed; of the ${sizeText(free)} free, ` +
      `${sizeText(reserve)} are reserved; free some space, or move the data directory to a larger disk`,
  )
}

/** Call the result with the bytes written. Throws like `refuseWithoutRoom`; checks every 8 MB. */
export function watchRoom(directory: string): (written: number) => void {
  let unseen = 0
  return (written) => {
    unseen += written
    if (unseen < 8 * 1024 * 1024) return
    unseen = 0
    refuseWithoutRoom(directory, 0)
  }
}

/** For example `12.3 MB`, in powers of 1000. */
export function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}
