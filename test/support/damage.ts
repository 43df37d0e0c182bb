import { Database } from 'bun:sqlite'
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { seeded } from '../../bench/random'

const pageBytes = 4096

/** Overwrites part of a file in place: it keeps its inode and its length, or grows. */
export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}

export function noise(length: number): Uint8Array {
  const random = seeded(4)
  return Uint8Array.from({ length }, () => random(256))
}

export const noisePage = (path: string, page: number) =>
  overwrite(path, (page - 1) * pageBytes, noise(pageBytes))

/** A leaf of a table or an index with at least two levels. */
export function leafOf(path: string, name: string): number {
  using handle = new Database(path, { readonly: true })
  const [row] = handle
    .query<{ root: number }, [string]>('select rootpage as root from sqlite_schema where name = ?')
    .all(name)
  const bytes = readFileSync(path)
  const page = bytes.subarray(((row?.root ?? 1) - 1) * pageBytes, (row?.root ?? 1) * pageBytes)
  // The cells of an interior page begin with the page of their left child (https://sqlite.org/fileformat2.html#b_tree_pages).
  if (page[0] !== 5 && page[0] !== 2) throw new Error(`${name} is too small for this test`)
  return page.readUInt32BE(page.readUInt16BE(12))
}

/** The first page of the freelist. */
export function freelistOf(path: string): number {
  const page = readFileSync(path).readUInt32BE(32)
  if (page === 0) throw new Error('no page is free: too little was deleted for this test')
  return page
}

/** Inverts some bytes in the middle of a file. */
export function flipBytes(path: string, at = Math.floor(statSync(path).size / 2)): void {
  const bytes = readFileSync(path).subarray(at, at + 8)
  overwrite(
    path,
    at,
    bytes.map((byte) => byte ^ 0xff),
  )
}

/** Frees pages, to create a freelist. */
export function freePages(path: string): void {
  using handle = new Database(path)
  handle.run("insert into instance (name, value) values ('filler', ?)", ['x'.repeat(400_000)])
  handle.run("delete from instance where name = 'filler'")
  handle.run('pragma wal_checkpoint(truncate)')
}
