import { join } from 'node:path'
import { readManifest } from './archive/read-archive'
import type { Destination } from './destination'
import { snapshotTime, timeOf } from './names'
import { backupNames, readNotes } from './notes'

/** Times are epoch milliseconds. */
export interface ListedBackup {
  readonly name: string
  /** `snapshot`: a copy of the database only, made before a migration. */
  readonly kind: 'backup' | 'snapshot'
  readonly made_at: number
  readonly bytes: number
  /** Null if unknown. */
  readonly kiroku_version: string | null
  readonly verified_at: number | null
  readonly damage: string | null
}

/** Newest first. */
export async function listBackups(data: string, destination: Destination): Promise<readonly ListedBackup[]> {
  const { backups } = readNotes(data)
  const listed: ListedBackup[] = []
  for (const { name, bytes } of await destination.list()) {
    const made_at = timeOf(name) ?? snapshotTime(name)
    if (made_at === undefined) continue
    const kind = timeOf(name) === undefined ? 'snapshot' : 'backup'
    const { verified_at = null, damage = null, kiroku_version } = backups[name] ?? {}
    const known = kiroku_version ?? (await versionIn(destination, name))
    listed.push({ name, kind, made_at, bytes, kiroku_version: known, verified_at, damage })
  }
  return listed.sort((a, b) => b.made_at - a.made_at)
}

/** Names of the pre-migration copies in `backups/`, the oldest of each migration first. */
export const snapshotsIn = (data: string): readonly string[] => backupNames(data, snapshotTime)

/** For an unencrypted backup in a directory, which this data directory has neither made nor verified. */
async function versionIn({ address }: Destination, name: string): Promise<string | null> {
  if (!name.endsWith('.zst')) return null
  const manifest = await readManifest(join(address, name)).catch(() => undefined)
  return manifest?.kiroku_version ?? null
}
