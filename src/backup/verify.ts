import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../lib/failure'
import { readArchive } from './archive/read-archive'
import { examineCopy } from './database-copy'
import type { Destination } from './destination'
import type { Manifest } from './manifest'
import { changeNotes, type Note } from './notes'
import { refuseWithoutRoom } from './room'
import { withWorkPlace } from './work-place'

/** `isNoted`: it is one of the instance's own backups, whose results are noted. */
export interface BackupPlace {
  readonly destination: Destination
  readonly name: string
  readonly isNoted: boolean
}

/** Fetches a backup, reads all of it and notes the result. Throws a `data` failure if it is damaged. */
export async function verifyBackup(
  data: string,
  { destination, name, isNoted }: BackupPlace,
  now: () => number,
): Promise<Manifest> {
  return await withWorkPlace(data, async (work) => {
    const file = join(work, name)
    await destination.get(name, file)
    const { size: bytes } = statSync(file)
    const known = { to: destination.address, bytes }
    try {
      const manifest = await verifyArchive(file, work)
      const { kiroku_version } = manifest
      if (isNoted) note(data, name, { ...known, kiroku_version, verified_at: now() })
      return manifest
    } catch (cause) {
      const damage = cause instanceof Failure && cause.kind === 'data' ? cause.message : undefined
      if (isNoted && damage !== undefined)
        note(data, name, { ...known, kiroku_version: '', verified_at: null, damage })
      throw cause
    }
  })
}

function note(data: string, name: string, found: Note): void {
  changeNotes(data, (notes) => {
    const kiroku_version = found.kiroku_version || notes.backups[name]?.kiroku_version || ''
    return { ...notes, backups: { ...notes.backups, [name]: { ...found, kiroku_version } } }
  })
}

async function verifyArchive(archive: string, work: string): Promise<Manifest> {
  const database = join(work, 'kiroku.db')
  const manifest = await readArchive(archive, (name, bytes) => {
    if (name !== 'kiroku.db') return undefined
    refuseWithoutRoom(work, bytes)
    return database
  })
  refuseOther(database, manifest)
  return manifest
}

/** Throws a `data` failure if an unpacked database is damaged or does not match the manifest. */
export function refuseOther(database: string, manifest: Manifest): void {
  const { migration, counts } = examineCopy(database)
  if (migration !== manifest.migration || !Bun.deepEquals(counts, manifest.counts))
    throw new Failure('data', 'its database does not match its manifest.json')
}
