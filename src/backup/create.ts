import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath } from '../db/open'
import { Failure } from '../lib/failure'
import { version } from '../version'
import { readArchive } from './archive/read-archive'
import { writeArchive } from './archive/write-archive'
import { type CopyContents, copyDatabase, databaseBytes, finishCopy, UnsoundCopy } from './database-copy'
import type { Destination } from './destination'
import { imagesIn, linkImages } from './images'
import type { Manifest } from './manifest'
import { backupName } from './names'
import { changeNotes } from './notes'
import { refuseWithoutRoom, watchRoom } from './room'
import { type Patience, withWorkPlace } from './work-place'

export interface Backup {
  readonly name: string
  readonly bytes: number
  readonly manifest: Manifest
}

export interface BackupTarget {
  readonly destination: Destination
  readonly isEncrypted: boolean
  /** `undefined`: named after the time it begins. */
  readonly name: string | undefined
  /** Whether it belongs to the instance's own backups, which lastBackup reports. */
  readonly isNoted: boolean
}

export type Report = (step: string) => void

/**
 * Puts a backup into a destination, after reading it back and comparing it. Never blocks the instance's writers. Throws
 * `busy` if another backup runs for longer than `patience`, `io` if space is short, `data` for a damaged database.
 */
export async function createBackup(
  data: string,
  { destination, isEncrypted, isNoted, name: chosen }: BackupTarget,
  now: () => number,
  report: Report,
  patience?: Patience,
): Promise<Backup> {
  const create = async (work: string) => {
    const began = now()
    const name = chosen ?? `${backupName(began)}${isEncrypted ? '.age' : ''}`
    const archive = join(work, 'archive')
    const manifest = await makeArchive(data, work, { archive, began }, report)
    report('storing it')
    await destination.put(name, archive)
    const bytes = statSync(archive).size
    const { kiroku_version } = manifest
    const note = { to: destination.address, bytes, kiroku_version, verified_at: now() }
    if (isNoted) changeNotes(data, ({ backups }) => ({ backups: { ...backups, [name]: note } }))
    return { name, bytes, manifest }
  }
  return await withWorkPlace(data, create, patience)
}

async function makeArchive(
  data: string,
  work: string,
  { archive, began }: { archive: string; began: number },
  report: Report,
): Promise<Manifest> {
  refuseWithoutRoom(work, expectedBytes(databaseBytes(databasePath(data)), join(data, 'images')))
  const { database, pictures } = await gather(data, work, report)
  report('examining the copy')
  const contents = examineFresh(database)
  const began_at = new Date(began).toISOString()
  const manifest = { format: 1 as const, kiroku_version: version, began_at, ...contents }
  report('compressing it')
  await writeArchive(archive, manifest, membersOf(database, pictures), watchRoom(work))
  report('reading it again')
  await readArchive(archive, () => undefined)
  return manifest
}

function examineFresh(database: string): CopyContents {
  try {
    return finishCopy(database)
  } catch (cause) {
    if (!(cause instanceof UnsoundCopy)) throw cause
    throw new Failure(
      'data',
      `no backup is made of a damaged database (${cause.why}): run kiroku check for details`,
    )
  }
}

/** Measured: a database shrinks to 0.35 of its size, images not at all. Free space is watched during writing. */
const expectedBytes = (database: number, images: string) =>
  Math.ceil(database * 1.5) +
  imagesIn(images).reduce(
    (sum, name) => sum + (statSync(join(images, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

/** Images are linked before the database is copied, as some may be deleted during the copy, and again after it. */
async function gather(data: string, work: string, report: Report) {
  const images = join(data, 'images')
  const links = join(work, 'images')
  const database = join(work, 'kiroku.db')
  mkdirSync(links, { recursive: true, mode: 0o700 })
  linkImages(images, links)
  report('copying the database')
  await copyDatabase(databasePath(data), database, watchRoom(work))
  return { database, pictures: linkImages(images, links) }
}

const membersOf = (database: string, pictures: string) => [
  { name: 'kiroku.db', file: database },
  ...imagesIn(pictures).map((name) => ({ name: `images/${name}`, file: join(pictures, name) })),
]
