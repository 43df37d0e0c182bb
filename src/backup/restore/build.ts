import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../../lib/failure'
import { syncFile } from '../../lib/sync-file'
import { readArchive } from '../archive/read-archive'
import { type CopyContents, copyDatabase, finishCopy, UnsoundCopy } from '../database-copy'
import { imagesIn, linkImages } from '../images'
import { refuseWithoutRoom, watchRoom } from '../room'
import { refuseOther } from '../verify'

/** What was restored. `began_at`: when the backup began, in ISO 8601; unknown for a copy of the database. */
export interface Built {
  readonly began_at: string | null
  readonly contents: CopyContents
}

/**
 * Builds an instance in `into` from a backup, or from a copy of the database and the images of `data`.
 * Checked and synced. Throws a `data` failure for a file that is damaged, or from a newer kiroku.
 */
export async function buildInstance(data: string, file: string, into: string): Promise<Built> {
  mkdirSync(join(into, 'images'), { recursive: true, mode: 0o700 })
  const kind = kindOf(file)
  if (kind === undefined) throw new Failure('data', 'it is neither a backup nor a database')
  const built = kind === 'archive' ? await fromArchive(file, into) : await fromDatabase(data, file, into)
  syncAll(into)
  return built
}

async function fromArchive(file: string, into: string): Promise<Built> {
  const manifest = await readArchive(file, (name, bytes) => {
    const place = join(into, name)
    if (name !== 'kiroku.db' && !name.startsWith('images/')) return undefined
    refuseWithoutRoom(into, bytes)
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    return place
  })
  refuseOther(join(into, 'kiroku.db'), manifest)
  return { began_at: manifest.began_at, contents: manifest }
}

/**
 * Takes the images next to the file, as in a replaced instance, else the current ones: pre-upgrade copies
 * have none.
 */
async function fromDatabase(data: string, file: string, into: string): Promise<Built> {
  const database = join(into, 'kiroku.db')
  refuseWithoutRoom(into, statSync(file).size)
  await copyDatabase(file, database, watchRoom(into)).catch(asDamage)
  const contents = finishCopy(database)
  const beside = join(dirname(file), 'images')
  const images = existsSync(beside) ? beside : join(data, 'images')
  if (linkImages(images, join(into, 'images')) === images) copyImages(images, join(into, 'images'))
  return { began_at: null, contents }
}

function asDamage(cause: unknown): never {
  if (cause instanceof Failure) throw cause
  throw new UnsoundCopy(cause instanceof Error ? cause.message : String(cause))
}

function copyImages(from: string, to: string): void {
  for (const name of imagesIn(from)) {
    mkdirSync(dirname(join(to, name)), { recursive: true, mode: 0o700 })
    copyFileSync(join(from, name), join(to, name))
  }
}

/** Told apart by the first bytes: zstd (RFC 8878 §3.1.1) or SQLite. */
function kindOf(file: string): 'archive' | 'database' | undefined {
  const head = Buffer.alloc(16)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, head)
  closeSync(descriptor)
  if (head.subarray(0, 4).toString('hex') === '28b52ffd') return 'archive'
  return head.toString('latin1') === 'SQLite format 3\0' ? 'database' : undefined
}

function syncAll(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) syncAll(path)
    else syncFile(path)
  }
  syncFile(directory)
}
