import { Database } from 'bun:sqlite'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../lib/failure'
import { fileFailure } from './file-failure'

/** Copies the database to `backups/<name>.db`, under that name only when checked and synced. Throws `io`. */
export function takeSnapshot(handle: Database, directory: string, name: string): string {
  const path = join(directory, 'backups', `${name}.db`)
  const partial = `${path}.partial`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    rmSync(partial, { force: true })
    handle.run('vacuum into ?', [partial])
    verify(partial, countRows(handle))
    sync(partial)
    renameSync(partial, path)
    sync(dirname(path))
    return path
  } catch (cause) {
    rmSync(partial, { force: true })
    throw noSnapshot(partial, cause)
  }
}

/** What a killed process left. The caller holds the process lock. */
export function removePartialSnapshots(directory: string): void {
  const backups = join(directory, 'backups')
  if (!existsSync(backups)) return
  for (const name of readdirSync(backups).filter((name) => /\.partial(?:-journal|-wal|-shm)?$/.test(name)))
    rmSync(join(backups, name), { force: true })
}

function noSnapshot(path: string, cause: unknown): Failure {
  if (!(cause instanceof Error)) return new Failure('io', `no snapshot could be taken: ${cause}`)
  if (!('code' in cause)) return new Failure('io', `no snapshot could be taken: ${cause.message}`)
  const failure = fileFailure(path, cause)
  return new Failure(failure.kind, `no snapshot could be taken: ${failure.message}`)
}

function verify(path: string, expected: Record<string, number>): void {
  const copy = new Database(path, { readonly: true })
  try {
    const damage = copy.query<{ integrity_check: string }, []>('pragma integrity_check').all()
    if (damage[0]?.integrity_check !== 'ok') throw new Error('its integrity check failed')
    if (copy.query('pragma foreign_key_check').all().length > 0)
      throw new Error('its foreign keys do not hold')
    if (!Bun.deepEquals(countRows(copy), expected))
      throw new Error('it does not hold the rows of the database')
  } finally {
    copy.close()
  }
}

function countRows(handle: Database): Record<string, number> {
  const tables = handle
    .query<{ name: string }, []>(
      "select name from pragma_table_list where schema = 'main' and type = 'table'",
    )
    .all()
    .map(({ name }) => name)
  const count = (name: string) =>
    handle.query<{ n: number }, []>(`select count(*) as n from "${name}"`).all()[0]?.n
  return Object.fromEntries(tables.map((name) => [name, count(name) ?? 0]))
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
