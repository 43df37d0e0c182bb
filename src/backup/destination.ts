import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../lib/failure'
import { syncFile } from '../lib/sync-file'
import { refuseWithoutRoom } from './room'

/** Where finished backups are kept. Names are file names without a path. */
export interface Destination {
  /** For messages; contains no secrets. */
  readonly address: string
  /** Either the whole file is stored under `name`, or nothing. */
  put(name: string, file: string): Promise<void>
  list(): Promise<readonly { readonly name: string; readonly bytes: number }[]>
  /** Writes it to `file`. Throws `noInput` if it does not exist. */
  get(name: string, file: string): Promise<void>
  remove(name: string): Promise<void>
}

/**
 * A directory of this machine, created by the first `put`. `instance` tells whose unfinished files are whose: several
 * instances may share a directory, and what a killed one left is removed by its next `put`.
 */
export function directoryDestination(directory: string, instance = 'backup'): Destination {
  return {
    address: directory,
    put: async (name, file) => atDirectory(directory, () => putFile(directory, { name, file, instance })),
    list: async () => filesIn(directory),
    get: async (name, file) => {
      const path = join(directory, name)
      if (!existsSync(path))
        throw new Failure(
          'noInput',
          `there is no backup ${name} in ${directory}; kiroku backup list shows the backups`,
        )
      linkOrCopy(path, file)
    },
    remove: async (name) => {
      rmSync(join(directory, name), { force: true })
      syncFile(directory)
    },
  }
}

interface NewFile {
  readonly name: string
  readonly file: string
  readonly instance: string
}

function putFile(directory: string, { name, file, instance }: NewFile): void {
  const path = join(directory, name)
  const partial = join(directory, `.kiroku-${instance}.partial`)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (statSync(directory).dev !== statSync(file).dev) refuseWithoutRoom(directory, statSync(file).size)
  rmSync(partial, { force: true })
  try {
    linkOrCopy(file, partial)
    syncFile(partial)
    renameSync(partial, path)
    syncFile(directory)
  } finally {
    rmSync(partial, { force: true })
  }
}

/** Throws a `config` failure if the directory is something else or cannot be written. */
function atDirectory<T>(directory: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    if (!/^(?:EEXIST|ENOTDIR|EROFS|EACCES|EPERM)$/.test(String(cause.code))) throw cause
    const why = cause.code === 'EROFS' ? 'its file system is read-only' : cause.message
    throw new Failure('config', `cannot keep backups in ${directory}: ${why}`)
  }
}

/** Links if both are on one filesystem with hard links: a backup never changes. */
function linkOrCopy(file: string, to: string): void {
  try {
    linkSync(file, to)
  } catch {
    copyFileSync(file, to)
  }
}

function filesIn(directory: string) {
  if (!existsSync(directory)) return []
  return atDirectory(directory, () => readdirSync(directory)).flatMap((name) => {
    const found = statSync(join(directory, name), { throwIfNoEntry: false })
    return found?.isFile() ? [{ name, bytes: found.size }] : []
  })
}
