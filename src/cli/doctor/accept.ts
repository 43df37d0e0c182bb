import { existsSync, renameSync } from 'node:fs'
import { forgetHighWater, readHighWater } from '../../db/health/high-water'
import { mainFileTick, sizeOf } from '../../db/health/main-file'
import { takeLock } from '../../db/lock'
import { databasePath } from '../../db/open'

/**
 * Accepts the current database as the right one; returns what was done. Sets aside a write-ahead log that
 * belongs to another file. Throws a `busy` failure while a server is running.
 */
export function acceptDatabase(directory: string, now: number): readonly string[] {
  const lock = takeLock(directory)
  try {
    const path = databasePath(directory)
    const done = isLogOfAnother(directory, path) ? setAside(path, new Date(now).toISOString()) : []
    forgetHighWater(directory)
    return [...done, 'the next start accepts the current database']
  } finally {
    lock.release()
  }
}

function isLogOfAnother(directory: string, path: string): boolean {
  if (sizeOf(path) === 0) return true
  const [mark, tick] = [readHighWater(directory), mainFileTick(path)]
  return mark !== undefined && tick !== undefined && tick < mark.checkpointed
}

function setAside(path: string, time: string): readonly string[] {
  return ['-wal', '-shm'].flatMap((suffix) => {
    const file = path + suffix
    if (!existsSync(file)) return []
    const kept = `${file}.${time.replaceAll(/[-:]|\.\d+/g, '')}`
    renameSync(file, kept)
    return [`set ${file} aside as ${kept}`]
  })
}
