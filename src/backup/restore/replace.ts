import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../lib/failure'
import { syncFile } from '../../lib/sync-file'
import { stampOf } from '../names'

/**
 * What makes up an instance; backups, settings and locks in the data directory stay. The high-water mark and
 * the last check describe the old database; the new one gets its own.
 */
const parts = {
  'kiroku.db': [
    'high-water.json',
    'last-check.json',
    'kiroku.db-wal',
    'kiroku.db-shm',
    'kiroku.db-journal',
    'kiroku.db',
  ],
  images: ['images'],
} as const

export const buildPlace = (data: string): string => join(data, 'restore.partial')

/** The caller holds the process lock. */
export function removePartialRestore(data: string): void {
  rmSync(buildPlace(data), { recursive: true, force: true })
}

/**
 * Replaces the instance in a data directory by the one in `buildPlace`, which is complete and synced. The caller holds
 * the process lock.
 *
 * The rename is the point of no return: `finishRestore` does the rest, if need be at the next start. The directory itself
 * is not renamed, since it may be a mount point or in a directory of somebody else's.
 */
export function replaceInstance(data: string, at: number): Finished {
  renameSync(buildPlace(data), join(data, unusedName(data, at)))
  syncFile(data)
  return finishRestore(data) ?? { old: undefined }
}

/** Two restores may happen within a second. */
function unusedName(data: string, at: number): string {
  const name = `restore-${stampOf(at)}`
  return existsSync(join(data, `before-${name}`)) ? unusedName(data, at + 1000) : name
}

export interface Finished {
  readonly old: string | undefined
}

/** Undefined if no restore is unfinished. The caller holds the process lock. */
export function finishRestore(data: string): Finished | undefined {
  const unfinished = findUnfinished(data)
  if (unfinished === undefined) return undefined
  const built = join(data, unfinished)
  const old = join(data, `before-${unfinished}`)
  mkdirSync(old, { recursive: true, mode: 0o700 })
  for (const [part, files] of Object.entries(parts)) {
    // Once a part has been moved, the file of that name is the new one.
    if (!existsSync(join(built, part))) continue
    for (const file of files) if (existsSync(join(data, file))) renameSync(join(data, file), join(old, file))
    syncFile(old)
    syncFile(data)
    renameSync(join(built, part), join(data, part))
    syncFile(data)
  }
  rmSync(built, { recursive: true })
  const isEmpty = readdirSync(old).length === 0
  if (isEmpty) rmdirSync(old)
  syncFile(data)
  return { old: isEmpty ? undefined : old }
}

/** Throws a `busy` failure: the database may still be the old one, or missing. */
export function refuseUnfinishedRestore(data: string): void {
  if (findUnfinished(data) === undefined) return
  throw new Failure(
    'busy',
    `a restore of ${data} was interrupted: run kiroku serve, or kiroku backup restore without a name, to complete it`,
  )
}

function findUnfinished(data: string): string | undefined {
  const isDirectory = statSync(data, { throwIfNoEntry: false })?.isDirectory() ?? false
  return isDirectory ? readdirSync(data).find((name) => /^restore-\d{8}T\d{6}Z$/.test(name)) : undefined
}

/** The instances that restores replaced, each a whole data directory; newest first. */
export const replacedInstances = (data: string) =>
  readdirSync(data)
    .filter((name) => /^before-restore-\d{8}T\d{6}Z$/.test(name))
    .toSorted()
    .toReversed()
    .map((name) => ({ path: join(data, name), bytes: bytesIn(join(data, name)) }))

const bytesIn = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
