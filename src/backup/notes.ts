import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Type, { type Static } from 'typebox'
import { type Lock, takeBackupLock } from '../db/lock'
import { syncFile } from '../lib/sync-file'
import { checkOf } from '../values/value'

/** The absolute path where backups are made, and kept unless `--backup-to` says otherwise. */
export const backupsDirectory = (data: string): string => resolve(data, 'backups')

/** Names in it that contain a time (`timeOf`, `snapshotTime`), sorted; empty if it cannot be read. */
export function backupNames(data: string, time: (name: string) => number | undefined): readonly string[] {
  try {
    return readdirSync(backupsDirectory(data))
      .filter((name) => time(name) !== undefined)
      .sort()
  } catch {
    return []
  }
}

const note = Type.Object({
  to: Type.String(),
  bytes: Type.Number(),
  kiroku_version: Type.String(),
  verified_at: Type.Union([Type.Number(), Type.Null()]),
  damage: Type.Optional(Type.String()),
})

const failure = Type.Object({ at: Type.Number(), why: Type.String() })

const notes = Type.Object({
  backups: Type.Record(Type.String(), note),
  failed: Type.Optional(failure),
  /** The last attempt to send backups to a bucket, if it failed. */
  unsent: Type.Optional(failure),
})

const isNotes = checkOf(notes)

/** `to` is the address of a destination; times are epoch milliseconds. */
export type Note = Static<typeof note>

export type Notes = Static<typeof notes>

/** What is known about backups besides the files themselves. Empty if the notes are missing or unreadable. */
export function readNotes(data: string): Notes {
  try {
    const read: unknown = JSON.parse(readFileSync(notesPath(data), 'utf8'))
    return isNotes(read) ? read : { backups: {} }
  } catch {
    return { backups: {} }
  }
}

/** Keeps notes on the newest 2,000 backups. The caller holds the backup lock. */
export function changeNotes(data: string, change: (notes: Notes) => Notes): void {
  const { backups, ...rest } = change(readNotes(data))
  const kept = Object.entries(backups).sort(newestFirst).slice(0, mostNotes)
  const path = notesPath(data)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.partial`
  writeFileSync(partial, `${JSON.stringify({ ...rest, backups: Object.fromEntries(kept) }, null, 1)}\n`, {
    mode: 0o600,
  })
  syncFile(partial)
  renameSync(partial, path)
  syncFile(dirname(path))
}

/** Reported by `lastBackup` until a backup succeeds. */
export const noteFailure = (data: string, why: string, at: number): void =>
  noteIfFree(data, (notes) => ({ ...notes, failed: { at, why } }))

/** `unsent`: undefined for success. */
export const noteSending = (data: string, unsent: Notes['unsent']): void =>
  noteIfFree(data, ({ unsent: _, ...notes }) => (unsent === undefined ? notes : { ...notes, unsent }))

/** Does nothing while another backup is running, or if the disk refuses the write. */
function noteIfFree(data: string, change: (notes: Notes) => Notes): void {
  let lock: Lock | undefined
  try {
    lock = takeBackupLock(data)
    changeNotes(data, change)
  } catch {
    // The caller reports the original failure.
  } finally {
    lock?.release()
  }
}

const notesPath = (data: string) => join(backupsDirectory(data), 'notes.json')

/** Backup names share a prefix followed by their time. */
const newestFirst = ([a]: [string, Note], [b]: [string, Note]) => (a < b ? 1 : -1)

const mostNotes = 2000
