import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../config'
import { timeOf } from './names'
import { backupNames, backupsDirectory, type Notes, readNotes } from './notes'

/** Times are epoch milliseconds. */
export interface LastBackup {
  /** Time of the newest backup; undefined if there is none. */
  readonly madeAt: number | undefined
  /** When it was last read completely and found intact. */
  readonly verifiedAt: number | undefined
  readonly bytes: number | undefined
  readonly failed: { readonly at: number; readonly why: string } | undefined
}

/**
 * The last backup of the instance in a data directory. Reads one small file and the names in `backups/`. A backup from the
 * future, made before the clock was set back, counts only if there is no other.
 */
export function lastBackup(data: string, now: number): LastBackup {
  const notes = readNotes(data)
  const names = namesOf(data, notes)
  const name = names.findLast((name) => (timeOf(name) ?? now) <= now) ?? names.at(-1)
  const known = name === undefined ? undefined : notes.backups[name]
  return {
    madeAt: name === undefined ? undefined : timeOf(name),
    verifiedAt: known?.verified_at ?? undefined,
    bytes: known?.bytes ?? (name === undefined ? undefined : sizeOf(join(backupsDirectory(data), name))),
    failed: notes.failed ?? notes.unsent,
  }
}

/** `to` is the destination's address, undefined for `backups/` of the data directory. */
export function newestBackup(
  data: string,
): { readonly name: string; readonly to: string | undefined } | undefined {
  const notes = readNotes(data)
  const name = namesOf(data, notes).at(-1)
  if (name === undefined) return undefined
  return { name, to: backupNames(data, timeOf).includes(name) ? undefined : notes.backups[name]?.to }
}

/** The oldest first. */
const namesOf = (data: string, notes: Notes): readonly string[] =>
  [...backupNames(data, timeOf), ...elsewhere(data, notes)].toSorted()

/**
 * Whether the last attempt failed, or the server makes backups and the newest is older than two periods. If
 * there is none yet, the time since the server's start counts.
 */
export function isBackupOverdue(
  { config, now }: { config: Pick<Settings, 'backupEvery'>; now(): number },
  { madeAt, failed }: LastBackup,
): boolean {
  if (failed !== undefined) return true
  const age = madeAt === undefined ? process.uptime() * 1000 : now() - madeAt
  return config.backupEvery !== null && age > 2 * config.backupEvery
}

/** Backups in other destinations are assumed to exist. */
const elsewhere = (data: string, { backups }: Notes) =>
  Object.entries(backups).flatMap(([name, { to }]) => (to === backupsDirectory(data) ? [] : [name]))

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size
