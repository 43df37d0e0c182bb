import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../lib/failure'
import { syncFile } from '../lib/sync-file'
import { fileFailure } from './file-failure'
import { countRows, refuseUnsound } from './sound'

/** Copies the database to `backups/<name>.db`, which gets that name once it is checked and synced. Throws `io`. */
export function takeSnapshot(handle: Database, directory: string, name: string): string {
  const path = join(directory, 'backups', `${name}.db`)
  const partial = `${path}.partial`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    rmSync(partial, { force: true })
    handle.run('vacuum into ?', [partial])
    verify(partial, countRows(handle))
    syncFile(partial)
    renameSync(partial, path)
    syncFile(dirname(path))
    return path
  } catch (cause) {
    rmSync(partial, { force: true })
    throw noSnapshot(partial, cause)
  }
}

/** Removes what a killed process left. The caller holds the process lock. */
export function removePartialSnapshots(directory: string): void {
  const backups = join(directory, 'backups')
  if (!existsSync(backups)) return
  for (const name of readdirSync(backups).filter((name) =>
    /^before-.+\.partial(?:-journal|-wal|-shm)?$/.test(name),
  ))
    rmSync(join(backups, name), { force: true })
}

function noSnapshot(path: string, cause: unknown): Failure {
  if (!(cause instanceof Error)) return new Failure('io', `no snapshot could be made: ${cause}`)
  if (!('code' in cause)) return new Failure('io', `no snapshot could be made: ${cause.message}`)
  const failure = fileFailure(path, cause)
  return new Failure(failure.kind, `no snapshot could be made: ${failure.message}`)
}

function verify(path: string, expected: Record<string, number>): void {
  const copy = new Database(path, { readonly: true })
  try {
    refuseUnsound(copy)
    if (!Bun.deepEquals(countRows(copy), expected))
      throw new Error('it does not hold the rows of the database')
  } finally {
    copy.close()
  }
}
